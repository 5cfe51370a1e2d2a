import type { Test } from 'tap'
import { AppError } from '../../../../src/core/platform/errors/index.ts'
import { nextDeadline } from '../../../../src/core/watch-together/group/deadlines.ts'
import type { GroupEffect } from '../../../../src/core/watch-together/group/effects.ts'
import { isAwaited, type WatchGroup } from '../../../../src/core/watch-together/group/group.ts'
import type { GroupEvent } from '../../../../src/core/watch-together/group/inputs.ts'
import { stepGroup } from '../../../../src/core/watch-together/group/step.ts'
import { positionAt } from '../../../../src/core/watch-together/group/timeline.ts'
import type { SeededRandom } from '../../../support/seeded-random.ts'
import { emptyGroup, newMember } from './group-setup.ts'

const STEPS = 20

/** A member that is never ready delays the others by 10 s at most, 1.5 s of which are for the start command. */
const MAX_WAIT = 8500

const MEMBERS = ['a', 'b', 'c', 'd', 'e']
const POSITIONS = [-1, 0, 10, 5000, 59_999, 60_000, 1e308]
const ELAPSED = [0, 0, 0, 1, 1, 100, 250, 300, 999, 1000, 1500, 5000, 10_000, 60_000]

function randomInput(random: SeededRandom, { timeline }: WatchGroup): GroupEvent {
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
    () => ({ kind: 'media', memberId, mediaId: 'm', position: 0, durationMilliseconds: 5000, isFromQueue: isOn }),
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
function violations(
  before: WatchGroup,
  { group, effects }: { group: WatchGroup; effects: readonly GroupEffect[] },
  now: number,
) {
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
    'a wait that is too long': waitingUntil !== null && waitingUntil - now > MAX_WAIT,
    'a wait for nobody':
      timeline.state === 'waiting' &&
      [...members.values()].every((m) => m.isReady || !m.isConnected || m.ignoresWait || m.isCatchingUp),
    'a deadline that has passed': !(Number(deadline) >= now),
    'a start that is brought forward':
      before.timeline.state === 'playing' &&
      timeline.state === 'playing' &&
      timeline.epoch === before.timeline.epoch &&
      seqs.length === 1 &&
      timeline.atMilliseconds < before.timeline.atMilliseconds,
    'playback without members': members.size === 0 && timeline.state === 'playing',
  })
    .filter(([, isViolated]) => isViolated)
    .map(([name]) => name)
}

/** Adds up how long the group waits for each member that is not ready; names those that it waits for too long. */
function createWaits() {
  const waits = new Map<string, number>()
  return {
    /** @param group the state that lasted for the time */
    pass({ members, timeline }: WatchGroup, milliseconds: number): string[] {
      if (timeline.state !== 'waiting') return []
      for (const member of members.values())
        if (isAwaited(member) && !member.isReady) waits.set(member.id, (waits.get(member.id) ?? 0) + milliseconds)
      return [...waits]
        .filter(([, wait]) => wait > MAX_WAIT)
        .map(([id]) => `a wait of more than ${MAX_WAIT} ms for ${id}`)
    },
    /** After these a member has the whole time again. */
    take(input: GroupEvent, { members }: WatchGroup): void {
      if (input.kind === 'media') waits.clear()
      if (input.kind === 'connect') waits.delete(input.memberId)
      for (const { id, isReady } of members.values()) if (isReady) waits.delete(id)
      for (const id of waits.keys()) if (!members.has(id)) waits.delete(id)
    },
  }
}

/** Runs one sequence, then lets time pass until the group is dissolved. */
function runSequence(random: SeededRandom): { found: string[]; accepted: number; waited: number } {
  let group = emptyGroup({ isSharedControl: random.below(2) === 0 })
  let [now, accepted, waited] = [0, 0, 0]
  const waits = createWaits()
  /** Timers fire at all deadlines up to then. */
  const passTo = (time: number): string[] => {
    const found: string[] = []
    for (let ticks = 0; found.length === 0; ticks += 1) {
      const deadline = nextDeadline(group)
      if (deadline === undefined || deadline > time) break
      if (ticks > 200) return ['no end of ticks']
      found.push(...waits.pass(group, deadline - now))
      now = deadline
      found.push(...step({ kind: 'tick' }))
    }
    found.push(...waits.pass(group, time - now))
    now = time
    return found
  }
  const step = (input: GroupEvent): string[] => {
    const before = group
    try {
      const result = stepGroup(group, input, now)
      group = result.group
      waits.take(input, group)
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
    const found = passTo(now + random.pick(ELAPSED))
    if (!group.isDissolved) found.push(...step(randomInput(random, group)))
    if (found.length > 0) return { found, accepted, waited }
  }
  for (let deadline = nextDeadline(group); deadline !== undefined; deadline = nextDeadline(group)) {
    const found = passTo(deadline)
    if (found.length > 0) return { found, accepted, waited }
  }
  return { found: group.isDissolved ? [] : ['not dissolved'], accepted, waited }
}

/** Runs random sequences of steps on a clock of their own, and checks what must hold after each step. */
export function keepsInvariants(t: Test, { random, sequences }: { random: SeededRandom; sequences: number }): void {
  let [accepted, waited] = [0, 0]
  for (let index = 0; index < sequences; index += 1) {
    const result = runSequence(random)
    accepted += result.accepted
    waited += result.waited
    if (result.found.length === 0) continue
    t.fail(`sequence ${index}: ${result.found.join('; ')}`)
    break
  }
  t.ok(accepted > (sequences * STEPS) / 2, `${accepted} steps were accepted`)
  t.ok(waited > sequences / 2, `the group waited after ${waited} steps`)
}
