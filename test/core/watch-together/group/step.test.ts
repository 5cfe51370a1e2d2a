import t from 'tap'
import { nextDeadline } from '../../../../src/core/watch-together/group/deadlines.ts'
import { positionAt } from '../../../../src/core/watch-together/group/timeline.ts'
import { emptyGroup, newMember, playGroup } from './group-setup.ts'

/** A group of three that plays from the start; its clock is at the start of playback. */
function playing(...ids: string[]) {
  const play = playGroup()
  play.enter('a', ...ids)
  play.take({ kind: 'media', memberId: 'a', mediaId: 'm', position: 0, durationMilliseconds: 60_000 })
  play.ready('a', ...ids)
  play.take({ kind: 'play', memberId: 'a' })
  play.wait(300)
  return play
}

void t.test('a group starts 300 ms after all members are ready, and 1500 ms with slow connections', (t) => {
  const play = playing('b', 'c')
  t.match(play.timeline(), { state: 'playing', positionMilliseconds: 0, atMilliseconds: 300, mediaId: 'm' })
  play.take({ kind: 'report', memberId: 'c', position: 0, roundTripMilliseconds: 400 })
  play.take({ kind: 'seek', memberId: 'a', to: 5000 })
  t.match(play.timeline(), { state: 'waiting', positionMilliseconds: 5000 })
  play.ready('a', 'b')
  t.equal(play.timeline().state, 'waiting', 'one is missing')
  play.ready('c')
  t.match(play.timeline(), { state: 'playing', positionMilliseconds: 5000, atMilliseconds: 300 + 800 })
  play.take({ kind: 'report', memberId: 'c', position: 0, roundTripMilliseconds: 60_000 })
  play.take({ kind: 'seek', memberId: 'a', to: 9000 })
  play.ready('a', 'b', 'c')
  t.match(play.timeline(), { state: 'playing', positionMilliseconds: 9000, atMilliseconds: 300 + 1500 })
  t.end()
})

void t.test('a change of the speed before the start does not bring the start forward', (t) => {
  const play = playGroup()
  play.enter('a')
  play.take({ kind: 'play', memberId: 'a', position: 1000 })
  play.ready('a')
  const { atMilliseconds } = play.timeline()
  play.wait(100)
  play.take({ kind: 'rate', memberId: 'a', rate: 2 })
  t.match(play.timeline(), { atMilliseconds, positionMilliseconds: 1000, rate: 2, state: 'playing' })
  play.wait(700)
  play.take({ kind: 'rate', memberId: 'a', rate: 1 })
  t.match(play.timeline(), { atMilliseconds: play.now(), positionMilliseconds: 2000 })
  t.end()
})

void t.test('a member that is never ready delays the others by 10 s at most, and does not stop them again', (t) => {
  const play = playing('b')
  play.take({ kind: 'report', memberId: 'b', position: 0, roundTripMilliseconds: 60_000 })
  const asked = play.now()
  play.take({ kind: 'seek', memberId: 'a', to: 5000 })
  play.ready('a')
  play.wait(8499)
  t.equal(play.timeline().state, 'waiting')
  play.wait(1)
  t.match(play.timeline(), { state: 'playing', positionMilliseconds: 5000, atMilliseconds: asked + 10_000 })
  t.match(play.member('b'), { isCatchingUp: true })
  play.take({ kind: 'seek', memberId: 'a', to: 7000 })
  play.ready('a')
  t.equal(play.timeline().state, 'playing', 'the group did not wait for it')
  play.ready('b')
  t.match(play.member('b'), { isCatchingUp: false })
  t.end()
})

void t.test('new commands during a wait do not give a member that is never ready more time', (t) => {
  const commands: ((play: ReturnType<typeof playing>) => void)[] = [
    (play) => play.take({ kind: 'seek', memberId: 'a', to: 7000 }),
    (play) => play.take({ kind: 'rate', memberId: 'a', rate: 1.5 }),
    (play) => {
      play.take({ kind: 'pause', memberId: 'a' })
      play.wait(60_000)
      play.take({ kind: 'play', memberId: 'a' })
    },
  ]
  for (const command of commands) {
    const play = playing('b', 'c')
    play.take({ kind: 'seek', memberId: 'a', to: 5000 })
    play.ready('a', 'c')
    play.wait(5000)
    command(play)
    play.ready('a')
    play.wait(3499)
    t.equal(play.timeline().state, 'waiting')
    t.match(play.member('b'), { isCatchingUp: false })
    play.wait(1)
    t.match(play.member('b'), { isCatchingUp: true })
    play.ready('c')
    t.equal(play.timeline().state, 'playing', 'those that were ready meanwhile have their whole time')
  }

  const scrubbing = playing('b')
  for (let count = 0; count < 4; count += 1) {
    scrubbing.take({ kind: 'seek', memberId: 'a', to: 1000 * count })
    scrubbing.wait(3000)
  }
  scrubbing.ready('a')
  t.equal(scrubbing.timeline().state, 'playing')
  scrubbing.take({ kind: 'media', memberId: 'a', mediaId: 'other', position: 0, durationMilliseconds: null })
  scrubbing.ready('a')
  scrubbing.wait(8499)
  t.equal(scrubbing.timeline().state, 'waiting', 'everybody loads other media')
  t.end()
})

void t.test('a member that joins later does not stop the group, and needs one message', (t) => {
  const play = playing()
  play.take({ kind: 'join', member: newMember('late') })
  t.match(play.take({ kind: 'connect', memberId: 'late' }), [{ kind: 'state', to: 'late' }])
  t.match(play.timeline(), { state: 'playing', seq: 4 })
  play.take({ kind: 'ready', memberId: 'late', isReady: false })
  play.wait(5000)
  t.equal(play.timeline().state, 'playing')
  t.end()
})

void t.test('readiness for an earlier position does not count', (t) => {
  const play = playing()
  const { seq } = play.timeline()
  play.take({ kind: 'seek', memberId: 'a', to: 5000 })
  play.take({ kind: 'ready', memberId: 'a', isReady: true, seq })
  t.equal(play.timeline().state, 'waiting')
  play.take({ kind: 'ready', memberId: 'a', isReady: true, seq: seq + 1 })
  t.equal(play.timeline().state, 'playing')
  t.end()
})

void t.test('who ignores waits, or reports no readiness, is not awaited', (t) => {
  const play = playing('b')
  play.take({ kind: 'ignoreWait', memberId: 'b', isOn: true })
  play.take({ kind: 'seek', memberId: 'a', to: 5000 })
  play.ready('a')
  t.equal(play.timeline().state, 'playing')

  const old = playGroup()
  old.take({ kind: 'join', member: newMember('a', { reportsReadiness: false }) })
  old.take({ kind: 'connect', memberId: 'a' })
  old.take({ kind: 'play', memberId: 'a', position: 1000 })
  t.match(old.timeline(), { state: 'playing', positionMilliseconds: 1000 })
  t.end()
})

void t.test('a stall of less than a second pauses nobody; a longer one does so once in 30 s', (t) => {
  const play = playing('b')
  const stall = (): void => void play.take({ kind: 'ready', memberId: 'b', isReady: false })
  stall()
  play.wait(999)
  play.ready('b')
  play.wait(1)
  t.equal(play.timeline().state, 'playing')
  stall()
  play.wait(1000)
  t.match(play.timeline(), { state: 'waiting', positionMilliseconds: 2000 })
  play.ready('b')
  t.equal(play.timeline().state, 'playing')
  stall()
  play.wait(1000)
  t.equal(play.timeline().state, 'playing')
  t.match(play.member('b'), { isCatchingUp: true })
  play.ready('b')
  play.wait(30_000)
  stall()
  play.wait(1000)
  t.equal(play.timeline().state, 'waiting')
  t.end()
})

void t.test('two pauses collapse, and a command that was based on an older timeline is dropped', (t) => {
  const play = playGroup(emptyGroup({ isSharedControl: true }))
  play.enter('a', 'b')
  play.take({ kind: 'play', memberId: 'a', position: 0 })
  play.ready('a', 'b')
  play.wait(2300)
  const basedOn = play.timeline().seq
  play.take({ kind: 'pause', memberId: 'a', basedOn })
  const paused = play.timeline()
  t.match(paused, { state: 'paused', positionMilliseconds: 2000, seq: basedOn + 1 })
  t.match(play.take({ kind: 'pause', memberId: 'b', basedOn }), [{ kind: 'timeline', to: 'b', timeline: paused }])
  t.match(play.take({ kind: 'seek', memberId: 'b', to: 50, basedOn }), [{ kind: 'timeline', to: 'b' }], 'a stale seek')
  t.strictSame(play.timeline(), paused)
  play.take({ kind: 'seek', memberId: 'a', to: 70, basedOn })
  play.take({ kind: 'seek', memberId: 'a', to: 90, basedOn })
  t.match(play.timeline(), { state: 'paused', positionMilliseconds: 90 }, 'own commands are never stale')
  t.end()
})

void t.test('only the host controls playback, the queue and its role; others and strangers get an error', (t) => {
  const play = playing('b')
  const before = play.group()
  for (const input of [
    { kind: 'play', memberId: 'b' },
    { kind: 'pause', memberId: 'b' },
    { kind: 'seek', memberId: 'b', to: 1 },
    { kind: 'rate', memberId: 'b', rate: 1 },
    { kind: 'media', memberId: 'b', mediaId: 'm', position: 0, durationMilliseconds: null },
    { kind: 'queue', memberId: 'b', entries: [] },
    { kind: 'transferHost', memberId: 'b', to: 'b' },
  ] as const) {
    t.throws(() => play.take(input), { code: 'NOT_HOST' }, input.kind)
    t.throws(() => play.take({ ...input, memberId: 'stranger' }), { code: 'not_a_member' }, input.kind)
  }
  for (const kind of ['leave', 'connect'] as const)
    t.throws(() => play.take({ kind, memberId: 'stranger' }), { code: 'not_a_member' })
  t.throws(() => play.take({ kind: 'chat', memberId: 'stranger', text: 'hi' }), { code: 'not_a_member' })
  t.equal(play.group(), before, 'an error changes nothing')
  t.end()
})

void t.test('the host hands over its role; who leaves or is away for 10 s loses it', (t) => {
  const play = playing('b', 'c')
  t.throws(() => play.take({ kind: 'transferHost', memberId: 'a', to: 'x' }), { code: 'member_not_found' })
  t.match(play.take({ kind: 'transferHost', memberId: 'a', to: 'c' }), [
    { kind: 'hostElected', electedId: 'c', by: 'a' },
  ])
  play.take({ kind: 'disconnect', memberId: 'c' })
  play.wait(9999)
  t.equal(play.group().hostId, 'c')
  t.match(play.wait(1), [{ kind: 'hostElected', electedId: 'a', by: null }])
  play.take({ kind: 'connect', memberId: 'c' })
  t.equal(play.group().hostId, 'a', 'who comes back is a member')
  play.take({ kind: 'leave', memberId: 'a' })
  t.equal(play.group().hostId, 'b')
  t.end()
})

void t.test('a lost member keeps its seat for 60 s; a group without members stops', (t) => {
  const play = playing()
  play.take({ kind: 'disconnect', memberId: 'a' })
  play.wait(59_999)
  t.equal(play.group().members.size, 1)
  play.wait(1)
  t.match(play.group(), { hostId: null, timeline: { state: 'paused' } })
  t.equal(play.group().members.size, 0)
  play.enter('b')
  t.equal(play.group().hostId, 'b')
  t.end()
})

void t.test('a group whose last member leaves is dissolved at once', (t) => {
  const play = playing()
  t.match(play.take({ kind: 'leave', memberId: 'a' }), [{ kind: 'left' }, { kind: 'dissolved' }])
  t.ok(play.group().isDissolved)
  t.end()
})

void t.test('the media ends in a pause at its end', (t) => {
  const play = playing()
  play.wait(59_999)
  t.equal(play.timeline().state, 'playing')
  play.wait(1)
  t.match(play.timeline(), { state: 'paused', positionMilliseconds: 60_000 })
  t.end()
})

void t.test('a group is dissolved after 3600 s without activity; then it has no deadline', (t) => {
  const play = playing()
  play.take({ kind: 'pause', memberId: 'a' })
  play.wait(3_599_999)
  t.not(nextDeadline(play.group()), undefined)
  t.ok(play.wait(1).some(({ kind }) => kind === 'dissolved'))
  t.equal(nextDeadline(play.group()), undefined)
  t.throws(() => play.take({ kind: 'chat', memberId: 'a', text: 'hi' }), { code: 'group_not_found' })
  t.end()
})

void t.test('a group that plays or waits for somebody is not dissolved, and is one hour after the end', (t) => {
  const play = playing()
  play.take({ kind: 'media', memberId: 'a', mediaId: 'm', position: 0, durationMilliseconds: 3 * 3_600_000 })
  play.ready('a')
  play.wait(3_600_001)
  t.equal(play.timeline().state, 'playing')
  play.wait(3 * 3_600_000)
  t.match(play.group(), { timeline: { state: 'paused' }, isDissolved: false })
  play.wait(3_599_999)
  t.notOk(play.group().isDissolved)
  play.wait(1)
  t.ok(play.group().isDissolved)

  const lost = playing()
  lost.take({ kind: 'media', memberId: 'a', mediaId: 'm', position: 0, durationMilliseconds: 3 * 3_600_000 })
  lost.ready('a')
  lost.wait(2 * 3_600_000)
  lost.take({ kind: 'disconnect', memberId: 'a' })
  t.notOk(
    lost.wait(1).some(({ kind }) => kind === 'dissolved'),
    'who has lost the connection finds the group again',
  )
  t.end()
})

void t.test('a seat that is taken again before its connection is kept as long as a new one', (t) => {
  const play = playing('b')
  const again = { sessionId: 's', resumeHash: 'h', reportsReadiness: false }
  play.take({ kind: 'resume', memberId: 'b', ...again })
  t.match(
    play.member('b'),
    { seatUntil: null, reportsReadiness: true, isConnected: true },
    'a connected one is as before',
  )
  play.take({ kind: 'connect', memberId: 'b', reportsReadiness: false })
  t.match(play.member('b'), { reportsReadiness: false, isReady: true }, 'until another client connects to it')
  play.take({ kind: 'disconnect', memberId: 'b' })
  play.wait(59_000)
  play.take({ kind: 'resume', memberId: 'b', ...again })
  play.wait(59_999)
  t.match(play.member('b'), { reportsReadiness: false })
  play.wait(1)
  t.equal(play.member('b'), undefined)
  t.end()
})

void t.test('members, chat, queue and positions have limits', (t) => {
  const play = playing(...Array.from({ length: 63 }, (_, index) => `m${index}`))
  t.throws(() => play.take({ kind: 'join', member: newMember('x') }), { code: 'group_full' })
  for (let index = 0; index < 60; index += 1) play.take({ kind: 'chat', memberId: 'a', text: String(index) })
  t.equal(play.group().chat.length, 50)
  t.match(play.group().chat.at(-1), { text: '59', memberId: 'a' })
  const escapes = '\u0001'.repeat(1000)
  for (let index = 0; index < 60; index += 1) play.take({ kind: 'chat', memberId: 'a', text: escapes })
  t.equal(play.group().chat.length, 5, 'as many as fit in 32 KiB of JSON')
  play.take({ kind: 'chat', memberId: 'a', text: 'last' })
  t.match(play.group().chat.at(-1), { text: 'last' })
  const entries = Array.from({ length: 150 }, (_, index) => ({ mediaId: String(index), mediaInfo: null }))
  play.take({ kind: 'queue', memberId: 'a', entries })
  t.equal(play.group().queue.length, 100)
  for (const [to, expected] of [
    [-1, 0],
    [1e308, 60_000],
  ] as const) {
    play.take({ kind: 'seek', memberId: 'a', to })
    t.equal(play.timeline().positionMilliseconds, expected)
  }
  t.end()
})

void t.test('states of the whole group are sent at once and then every second at most', (t) => {
  const play = playing('b')
  play.wait(2000)
  play.wait(1000)
  t.strictSame(play.take({ kind: 'ignoreWait', memberId: 'a', isOn: true }), [{ kind: 'state' }])
  t.strictSame(play.take({ kind: 'ignoreWait', memberId: 'b', isOn: true }), [])
  t.strictSame(play.take({ kind: 'ignoreWait', memberId: 'b', isOn: false }), [])
  t.strictSame(play.wait(999), [])
  t.strictSame(play.wait(1), [{ kind: 'state' }])
  t.strictSame(play.wait(1000), [])
  t.end()
})

void t.test('a rate changes the speed from the current position on', (t) => {
  const play = playing()
  play.wait(1000)
  play.take({ kind: 'rate', memberId: 'a', rate: 1.5 })
  t.equal(positionAt(play.timeline(), play.now() + 1000), 2500)
  t.end()
})

void t.test('play at the end begins again, also within half a second of it; elsewhere it goes on', (t) => {
  for (const [position, from] of [
    [60_000, 0],
    [59_600, 0],
    [59_400, 59_400],
  ] as const) {
    const play = playing()
    play.take({ kind: 'seek', memberId: 'a', to: position })
    play.take({ kind: 'pause', memberId: 'a', position })
    play.take({ kind: 'play', memberId: 'a' })
    t.match(play.timeline(), { state: 'waiting', positionMilliseconds: from })
  }
  t.end()
})

void t.test(
  'a group that all others have left ends with a seat that was never used, but waits for one that was lost',
  (t) => {
    const play = playGroup()
    play.take({ kind: 'join', member: newMember('a') })
    play.wait(1000)
    play.enter('b')
    play.take({ kind: 'leave', memberId: 'b' })
    t.notOk(play.group().isDissolved, 'the first may still come')
    play.wait(59_000)
    t.ok(play.group().isDissolved)
    const alone = playGroup()
    alone.take({ kind: 'join', member: newMember('a') })
    alone.wait(60_000)
    t.notOk(alone.group().isDissolved, 'nobody was there: its link may still be on its way')
    const lost = playing('b')
    lost.take({ kind: 'leave', memberId: 'b' })
    lost.take({ kind: 'disconnect', memberId: 'a' })
    lost.wait(60_000)
    t.notOk(lost.group().isDissolved)
    t.end()
  },
)
