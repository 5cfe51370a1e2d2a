import t from 'tap'
import { AppError } from '../../../../src/core/platform/errors/index.ts'
import { nextDeadline } from '../../../../src/core/watch-together/group/deadlines.ts'
import type { GroupEffect } from '../../../../src/core/watch-together/group/effects.ts'
import type { Group } from '../../../../src/core/watch-together/group/group.ts'
import type { GroupEvent } from '../../../../src/core/watch-together/group/inputs.ts'
import { stepGroup } from '../../../../src/core/watch-together/group/step.ts'
import { positionAt } from '../../../../src/core/watch-together/group/timeline.ts'
import { seededRandom, type SeededRandom } from '../../../support/seeded-random.ts'
import { emptyGroup, newMember } from './group-setup.ts'

const SEED = 4711
const SEQUENCES = 10_000
const STEPS = 20

const MEMBERS = ['a', 'b', 'c', 'd', 'e']
const POSITIONS = [-1, 0, 10, 5000, 59_999, 60_000, 1e308]
const ELAPSED = [0, 0, 0, 1, 1, 100, 250, 300, 999, 1000, 1500, 5000, 10_000, 60_000]

function randomInput(random: SeededRandom, { timeline }: Group): GroupEvent {
  const memberId = random.pick(MEMBERS)
  const position = random.pick(POSITIONS)
  const isOn = random.below(2) === 0
  const based = isOn ? {} : { basedOn: timeline.seq - random.below(3) }
  return random.pick<() => GroupEvent>([
    () => ({ kind: 'join', member: newMember(memberId, { reportsReadiness: random.below(4) > 0 }) }),
    () => ({ kind: 'connect', memberId }),
    () => ({ kind: 'connect', memberId }),
    () => ({ kind: 'disconnect', memberId }),
    () => ({ kind: 'leave', memberId }),
    () => ({ kind: 'resume', memberId, sessionId: 's', resumeHash: 'h', reportsReadiness: isOn }),
    () => ({ kind: 'play', memberId, ...based }),
    () => ({ kind: 'play', memberId, position, ...based }),
    () => ({ kind: 'pause', memberId, ...based }),
    () => ({ kind: 'seek', memberId, to: position, ...based }),
    () => ({ kind: 'rate', memberId, rate: random.pick([0.25, 1, 4]) }),
    () => ({ kind: 'media', memberId, mediaId: 'm', position, durationMilliseconds: isOn ? 60_000 : null }),
    () => ({ kind: 'queue', memberId, entries: [{ mediaId: 'm', mediaInfo: {} }] }),
    () => ({ kind: 'ready', memberId, isReady: isOn, seq: timeline.seq - random.below(3) }),
    () => ({ kind: 'ready', memberId, isReady: true }),
    () => ({ kind: 'report', memberId, position, roundTripMilliseconds: random.pick([0, 20, 10_000]) }),
    () => ({ kind: 'ignoreWait', memberId, isOn }),
    () => ({ kind: 'chat', memberId, text: 'hi' }),
    () => ({ kind: 'typing', memberId, isTyping: isOn }),
    () => ({ kind: 'transferHost', memberId, to: random.pick(MEMBERS) }),
    () => ({ kind: 'tick' }),
  ])()
}

/** What must hold after every step, as a list of violations. */
function violations(before: Group, { group, effects }: { group: Group; effects: readonly GroupEffect[] }, now: number) {
  // A dissolved group is not used again.
  if (group.isDissolved) return nextDeadline(group) === undefined ? [] : ['a deadline after the end']
  const { members, hostId, timeline, waitingUntil } = group
  const position = positionAt(timeline, now)
  const deadline = nextDeadline(group)
  const seqs = effects.flatMap((effect) =>
    effect.kind === 'timeline' && effect.to === undefined ? [effect.timeline.seq] : [],
  )
  const expected = seqs.map((_, index) => before.timeline.seq + 1 + index)
  return Object.entries({
    'a host that is no member': members.size === 0 ? hostId !== null : hostId === null || !members.has(hostId),
    'a sequence number that does not follow': String(seqs) !== String(expected),
    'a timeline that nobody was told': timeline.seq !== before.timeline.seq + seqs.length,
    'an epoch that goes back': timeline.epoch < before.timeline.epoch,
    'a position outside of the media': !(position >= 0 && position <= 1e11),
    'a wait without an end': (timeline.state === 'waiting') !== (waitingUntil !== null),
    'a wait that is too long': waitingUntil !== null && waitingUntil - now > 10_000,
    'a wait for nobody':
      timeline.state === 'waiting' &&
      [...members.values()].every((m) => m.isReady || !m.isConnected || m.ignoresWait || m.isCatchingUp),
    'a deadline that has passed': !(Number(deadline) >= now),
    'playback without members': members.size === 0 && timeline.state === 'playing',
  })
    .filter(([, isViolated]) => isViolated)
    .map(([name]) => name)
}

/** Runs one sequence, then lets time pass until the group is dissolved. */
function runSequence(random: SeededRandom): { found: string[]; accepted: number; waited: number } {
  let group = emptyGroup({ isSharedControl: random.below(2) === 0 })
  let [now, accepted, waited] = [0, 0, 0]
  const step = (input: GroupEvent): string[] => {
    const before = group
    try {
      const result = stepGroup(group, input, now)
      group = result.group
      accepted += 1
      if (group.timeline.state === 'waiting') waited += 1
      return violations(before, result, now).map((violation) => `${violation} after ${JSON.stringify(input)} at ${now}`)
    } catch (error) {
      if (error instanceof AppError) return []
      throw error
    }
  }
  // Most sequences begin with members, because without them nearly everything is refused.
  for (const memberId of MEMBERS.slice(0, random.below(4))) {
    const inputs: GroupEvent[] = [
      { kind: 'join', member: newMember(memberId) },
      { kind: 'connect', memberId },
      { kind: 'ready', memberId, isReady: true },
    ]
    const found = inputs.flatMap(step)
    if (found.length > 0) return { found, accepted, waited }
  }
  for (let count = 0; count < STEPS && !group.isDissolved; count += 1) {
    now += random.pick(ELAPSED)
    // A timer fires at each deadline, so that nothing is overdue.
    const found = [...step({ kind: 'tick' }), ...step(randomInput(random, group))]
    if (found.length > 0) return { found, accepted, waited }
  }
  let ticks = 0
  for (let deadline = nextDeadline(group); deadline !== undefined; deadline = nextDeadline(group)) {
    now = deadline
    const found = step({ kind: 'tick' })
    ticks += 1
    if (ticks > 200) found.push('no end of ticks')
    if (found.length > 0) return { found, accepted, waited }
  }
  return { found: group.isDissolved ? [] : ['not dissolved'], accepted, waited }
}

void t.test(`${SEQUENCES} random sequences keep the invariants and end without a timer (seed ${SEED})`, (t) => {
  const random = seededRandom(SEED)
  let [accepted, waited] = [0, 0]
  for (let index = 0; index < SEQUENCES; index += 1) {
    const result = runSequence(random)
    accepted += result.accepted
    waited += result.waited
    if (result.found.length > 0) {
      t.fail(`sequence ${index}: ${result.found.join('; ')}`)
      break
    }
  }
  t.ok(accepted > SEQUENCES * STEPS, `${accepted} steps were accepted`)
  t.ok(waited > SEQUENCES, `the group waited after ${waited} steps`)
  t.end()
})
