import t from 'tap'

type Timeline = {
  seq: number
  epoch: number
  state: 'playing' | 'paused' | 'waiting'
  media_id: string
  position: number
  at: number
  rate: number
}

type Follower = { follow(next: Timeline): void; setLoaded(isLoaded: boolean): void; tellAgain(): void; release(): void }

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/watch/follower.js', import.meta.url).href
const { createFollower } = (await import(path)) as {
  createFollower: (video: EventTarget, clock: object, actions: object) => Follower
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
  #pending: PromiseWithResolvers<void>[] = []

  play(): Promise<void> {
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
  let [now, seq] = [0, 0]
  const clock = { now: () => now, serverTime: () => now, clientTime: (time: number) => time, isKnown: () => true }
  const follower = createFollower(video, clock, {
    ready: (isReady: boolean) => readiness.push(isReady),
    report: () => {},
    command: (name: string) => commands.push(name),
    seek: () => {},
    blocked: () => {},
  })
  const take = (state: Timeline['state']): void => {
    seq += 1
    follower.follow({ seq, epoch: 1, state, media_id: 'm', position: 0, at: now, rate: 1 })
  }
  take('paused')
  follower.setLoaded(true)
  t.teardown(() => follower.release())
  return { video, commands, readiness, follower, take, advance: (milliseconds: number) => (now += milliseconds) }
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
  const { readiness, follower, take } = follow()
  t.strictSame(readiness, [true])
  take('paused')
  t.strictSame(readiness, [true])
  follower.tellAgain()
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
