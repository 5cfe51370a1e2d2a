import t from 'tap'
import { waitUntil } from '../../../support/wait-until.ts'

type Timeline = {
  seq: number
  epoch: number
  state: 'playing' | 'paused' | 'waiting'
  media_id: string
  position: number
  at: number
  rate: number
}

type Origin = { isOwnSeek?: boolean; isCorrection?: boolean }

type Follower = {
  follow(next: Timeline, origin?: Origin): void
  setLoaded(isLoaded: boolean): void
  allowPlayback(): void
  isBlocked(): boolean
  tellAgain(): void
  release(): void
}

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/watch/playback-sync.js', import.meta.url).href
const { createPlaybackSync } = (await import(path)) as {
  createPlaybackSync: (video: EventTarget, clock: object, actions: object) => Follower
}

/** A media element whose `play()` stays pending until a test lets it start, with events that come later, as in browsers. */
class FakeVideo extends EventTarget {
  paused = true
  ended = false
  seeking = false
  readyState = 4
  duration = 60
  currentTime = 0
  playbackRate = 1
  /** The browser starts it only after a click. */
  isForbidden = false
  plays = 0
  #pending: PromiseWithResolvers<void>[] = []

  play(): Promise<void> {
    this.plays += 1
    if (this.isForbidden) return Promise.reject(new DOMException('no click', 'NotAllowedError'))
    const start = Promise.withResolvers<void>()
    this.#pending.push(start)
    if (this.paused) queueMicrotask(() => this.dispatchEvent(new Event('play')))
    this.paused = false
    return start.promise
  }

  pause(): void {
    if (this.paused) return
    this.paused = true
    const pending = this.#pending.splice(0)
    queueMicrotask(() => {
      this.dispatchEvent(new Event('pause'))
      for (const { reject } of pending) reject(new DOMException('paused', 'AbortError'))
    })
  }

  async start(): Promise<void> {
    for (const { resolve } of this.#pending.splice(0)) resolve()
    await this.eventsSent()
  }

  async eventsSent(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function follow() {
  const video = new FakeVideo()
  const commands: string[] = []
  const readiness: boolean[] = []
  const seeks: number[] = []
  const blocked: boolean[] = []
  let [now, seq] = [0, 0]
  const clock = { now: () => now, serverTime: () => now, clientTime: (time: number) => time, isKnown: () => true }
  const sync = createPlaybackSync(video, clock, {
    ready: (isReady: boolean) => readiness.push(isReady),
    report: () => {},
    command: (name: string) => commands.push(name),
    seek: (milliseconds: number) => seeks.push(milliseconds),
    rate: (rate: number) => commands.push(`rate ${rate}`),
    blocked: (isBlocked: boolean) => blocked.push(isBlocked),
  })
  const take = (state: Timeline['state'], fields: Partial<Timeline> = {}, origin?: Origin): Timeline => {
    seq += 1
    const timeline = { seq, epoch: 1, state, media_id: 'm', position: 0, at: now, rate: 1, ...fields }
    sync.follow(timeline, origin)
    return timeline
  }
  const seek = (seconds: number): void => {
    video.currentTime = seconds
    video.dispatchEvent(new Event('seeking'))
  }
  take('paused')
  sync.setLoaded(true)
  t.teardown(() => sync.release())
  const advance = (milliseconds: number): number => (now += milliseconds)
  return { video, commands, readiness, seeks, blocked, sync, take, seek, advance }
}

void t.test('a pause of the user is a command, also before playback has started', async (t) => {
  for (const hasStarted of [true, false]) {
    const { video, commands, take } = follow()
    take('playing')
    t.notOk(video.paused)
    if (hasStarted) await video.start()
    video.pause()
    await video.eventsSent()
    t.strictSame(commands, ['pause'])
    take('paused')
    await video.eventsSent()
    t.strictSame(commands, ['pause'], 'the answer causes no other command')
  }
})

void t.test('a pause right after the own command to play is a command', async (t) => {
  const { video, commands } = follow()
  void video.play().catch(() => {})
  await video.eventsSent()
  video.pause()
  await video.eventsSent()
  t.strictSame(commands, ['play', 'pause'])
})

void t.test('what the group does is no command, however fast it follows', async (t) => {
  const { video, commands, take } = follow()
  for (const state of ['playing', 'paused', 'playing', 'waiting', 'playing', 'paused', 'playing'] as const) take(state)
  await video.start()
  take('paused')
  take('playing')
  await video.start()
  t.strictSame(commands, [])
  video.pause()
  await video.eventsSent()
  t.strictSame(commands, ['pause'], 'and the next pause of the user counts')
})

void t.test('after a new welcome the group is told again whether the element is ready', (t) => {
  const { readiness, sync, take } = follow()
  t.strictSame(readiness, [true])
  take('paused')
  t.strictSame(readiness, [true])
  sync.tellAgain()
  take('paused')
  t.strictSame(readiness, [true, true])
  t.end()
})

void t.test('who joins late loads ahead of the group and starts when it is there', (t) => {
  const { video, take, advance } = follow()
  video.readyState = 1
  take('playing')
  advance(20_000)
  video.readyState = 4
  const tell = (name: string): boolean => video.dispatchEvent(new Event(name))
  tell('canplay')
  t.ok(video.paused, 'it does not start at the beginning')
  t.equal(video.currentTime, 20.5)
  // Loading took longer than that: the next attempt has twice the time.
  advance(900)
  tell('seeked')
  t.ok(video.paused)
  t.equal(video.currentTime, 21.9)
  advance(950)
  tell('seeked')
  t.notOk(video.paused, 'the group is 50 ms away')
  t.end()
})

void t.test('an element at its end is not moved', (t) => {
  const { video, take, advance } = follow()
  take('paused')
  Object.assign(video, { ended: true, currentTime: 60 })
  take('playing')
  advance(90_000)
  video.dispatchEvent(new Event('canplay'))
  t.equal(video.currentTime, 60)
  t.end()
})

void t.test('a page whose browser does not start playback waits for its user, and says so', async (t) => {
  const { video, readiness, blocked, sync, take, advance } = follow()
  video.isForbidden = true
  take('playing')
  await video.eventsSent()
  t.strictSame(blocked, [true])
  const tell = (name: string): boolean => video.dispatchEvent(new Event(name))
  const before = [video.currentTime, video.plays]
  for (let count = 0; count < 4; count += 1) {
    advance(5000)
    for (const name of ['canplay', 'seeked']) tell(name)
  }
  t.strictSame([video.currentTime, video.plays], before, 'it neither seeks nor tries again')
  await waitUntil('it is not ready', () => readiness.at(-1) === false)
  sync.allowPlayback()
  await video.eventsSent()
  t.ok(sync.isBlocked(), 'the browser still refuses')
  video.isForbidden = false
  sync.allowPlayback()
  t.notOk(video.paused)
  await video.start()
  t.strictSame(blocked, [true, false, true, false])
  t.equal(readiness.at(-1), true)
})

void t.test('a user who starts the element itself needs no button', async (t) => {
  const { video, blocked, take } = follow()
  video.isForbidden = true
  take('playing')
  await video.eventsSent()
  video.isForbidden = false
  void video.play()
  await video.start()
  t.strictSame(blocked, [true, false])
})

void t.test(
  'of many seeks the first and the last become commands, and answers to earlier ones move nothing',
  async (t) => {
    const { video, seeks, take, seek } = follow()
    video.duration = 6000
    take('playing')
    await video.start()
    for (let seconds = 10; seconds <= 900; seconds += 10) seek(seconds)
    t.strictSame(seeks, [10_000])
    take('waiting', { position: 10_000, epoch: 2 }, { isOwnSeek: true })
    take('playing', { position: 10_000, epoch: 2 })
    t.equal(video.currentTime, 900, 'the last is still to come')
    await waitUntil('the last seek is sent', () => seeks.length > 1)
    t.strictSame(seeks, [10_000, 900_000])
    take('waiting', { position: 900_000, epoch: 3 }, { isOwnSeek: true })
    t.equal(video.currentTime, 900)
    for (const seconds of [1000, 1010]) seek(seconds)
    take('paused', { position: 5000, epoch: 4 })
    t.equal(video.currentTime, 5, 'somebody else has sought')
  },
)

void t.test('a seek without an answer counts for a second only', async (t) => {
  const { video, take, seek, advance } = follow()
  take('paused')
  seek(30)
  take('paused', { position: 4000 })
  t.equal(video.currentTime, 30)
  advance(1000)
  video.dispatchEvent(new Event('canplay'))
  t.equal(video.currentTime, 4)
})

void t.test('a state of the group does not end a command on its way, and an old timeline does nothing', async (t) => {
  const { video, commands, sync, take } = follow()
  const old = take('paused')
  const playing = take('playing')
  await video.start()
  video.pause()
  await video.eventsSent()
  t.strictSame(commands, ['pause'])
  sync.follow(playing)
  t.ok(video.paused, 'the same timeline again')
  take('playing')
  t.notOk(video.paused, 'another one')
  await video.start()
  sync.follow(old)
  t.notOk(video.paused)
})

void t.test('a start of the user in the moment in which a paused state arrives is a command', async (t) => {
  const { video, commands, take, seek } = follow()
  seek(30)
  void video.play()
  take('paused', { epoch: 2, position: 30_000 }, { isOwnSeek: true })
  t.notOk(video.paused, 'the element goes on until its event has come')
  await video.eventsSent()
  t.same(commands, ['play'])
  take('playing', { epoch: 2, position: 30_000 })
  await video.start()
  take('paused', { epoch: 2, position: 30_000 })
  t.ok(video.paused)
  await video.eventsSent()
  t.same(commands, ['play'])
})

void t.test('a second seek of the user to the same place is a command too', async (t) => {
  const { video, seeks, take, seek, advance } = follow()
  for (const epoch of [2, 3, 4]) {
    seek(30)
    await waitUntil('it is sent', () => seeks.length === epoch - 1)
    take('paused', { position: 30_000, epoch }, { isOwnSeek: true })
    // The element is moved there for the group too.
    for (const name of ['seeking', 'seeked']) video.dispatchEvent(new Event(name))
    advance(4000)
  }
  t.strictSame(seeks, [30_000, 30_000, 30_000])
})

void t.test('a speed that the user sets is a command; that of the group and of corrections is none', async (t) => {
  const { video, commands, take } = follow()
  take('playing', { rate: 1.5 })
  video.dispatchEvent(new Event('ratechange'))
  t.strictSame(commands, [])
  video.playbackRate = 2
  video.dispatchEvent(new Event('ratechange'))
  t.strictSame(commands, ['rate 2'])
  take('playing', { rate: 2 })
  video.dispatchEvent(new Event('ratechange'))
  t.strictSame(commands, ['rate 2'])
})

void t.test(
  'a speed of the user is kept until its event comes; one that loading has reset is no command',
  async (t) => {
    const { video, commands, take, sync } = follow()
    take('playing', { rate: 1.5 })
    video.playbackRate = 2
    sync.setLoaded(true)
    t.equal(video.playbackRate, 2)
    video.dispatchEvent(new Event('ratechange'))
    t.strictSame(commands, ['rate 2'])
    take('playing', { rate: 2 })
    video.playbackRate = 1
    for (const name of ['emptied', 'ratechange']) video.dispatchEvent(new Event(name))
    t.strictSame(commands, ['rate 2'])
    video.dispatchEvent(new Event('canplay'))
    t.equal(video.playbackRate, 2, 'it is that of the group again')
  },
)
