import t from 'tap'
import { positionAt } from '../../../../src/core/watch-together/index.ts'
import {
  deserializeGroup,
  adoptStoredGroup,
  serializeGroup,
} from '../../../../src/core/watch-together/cross-process/group-state.ts'
import { emptyGroup, playGroup } from '../group/group-setup.ts'

const HOUR = 3_600_000

function playing() {
  const play = playGroup(emptyGroup({ isSharedControl: true }))
  play.enter('a', 'b')
  play.take({ kind: 'media', memberId: 'a', mediaId: 'film', position: 5000, durationMilliseconds: null })
  play.ready('a', 'b')
  play.take({ kind: 'play', memberId: 'a' })
  play.ready('a', 'b')
  play.take({ kind: 'chat', memberId: 'b', text: 'hello' })
  play.wait(10_000)
  return play.group()
}

void t.test('a state is read with the times of the process that reads it', (t) => {
  const group = playing()
  t.equal(group.timeline.state, 'playing')
  const before = positionAt(group.timeline, 20_000)
  for (const offset of [HOUR, -HOUR]) {
    const read = deserializeGroup(serializeGroup(group, 20_000), { now: 20_000 + offset + 3000, age: 3000 })
    if (read === undefined) throw new Error('no state')
    t.equal(positionAt(read.timeline, 20_000 + offset), before)
    t.equal(read.chat[0]?.at, Number(group.chat[0]?.at) + offset)
    t.equal(read.createdAt, group.createdAt + offset)
    t.equal(read.members.get('a')?.joinedAt, offset)
    t.equal(read.members.get('a')?.isConnected, true)
  }
  const near = deserializeGroup(serializeGroup(group, 20_000), { now: 20_500, age: 0 })
  t.strictSame(near?.timeline, group.timeline, 'the time of the statement is no difference of the clocks')
  t.end()
})

void t.test('a state of another format is not read', (t) => {
  const state = serializeGroup(playing(), 0).replace(/"format":\d+/, '"format":1')
  t.equal(deserializeGroup(state, { now: 0, age: 0 }), undefined)
  t.end()
})

void t.test('a group that is taken over is ahead of all that its process can have sent', (t) => {
  const group = playing()
  const { timeline, members, lastCommand, jumpSeq } = adoptStoredGroup(group, 20_000)
  t.ok(timeline.seq >= group.timeline.seq + 1000)
  t.equal(timeline.epoch, group.timeline.epoch + 1)
  t.equal(jumpSeq, timeline.seq)
  t.equal(lastCommand, null)
  t.equal(positionAt(timeline, 20_000), positionAt(group.timeline, 20_000))
  t.match(members.get('a'), { isConnected: false, seatUntil: 80_000 })
  t.end()
})
