import { createGroup } from '../../../../src/core/watch-together/group/create-group.ts'
import type { GroupEffect } from '../../../../src/core/watch-together/group/effects.ts'
import type { WatchGroup } from '../../../../src/core/watch-together/group/group.ts'
import type { GroupEvent, NewMember } from '../../../../src/core/watch-together/group/inputs.ts'
import { stepGroup } from '../../../../src/core/watch-together/group/step.ts'

export function emptyGroup(fields: Partial<Parameters<typeof createGroup>[0]> = {}, now = 0): WatchGroup {
  const plain = { id: 'g', name: 'A group', description: '', ownerId: 'owner', isPublic: true, passwordHash: null }
  return createGroup({ ...plain, isSharedControl: false, ...fields }, now)
}

export function newMember(id: string, fields: Partial<NewMember> = {}): NewMember {
  const account = { profileId: `account-${id}`, username: id, sessionId: `session-${id}`, resumeHash: `hash-${id}` }
  return { id, name: id, reportsReadiness: true, ...account, ...fields }
}

/** A group on a clock that a test moves, in milliseconds. */
export function playGroup(start: WatchGroup = emptyGroup()) {
  let [group, now] = [start, 0]
  let effects: readonly GroupEffect[] = []
  const take = (input: GroupEvent): readonly GroupEffect[] => {
    ;({ group, effects } = stepGroup(group, input, now))
    return effects
  }
  return {
    take,
    /** Moves the clock, then applies what is due. */
    wait(milliseconds: number) {
      now += milliseconds
      return take({ kind: 'tick' })
    },
    enter(...ids: string[]) {
      for (const id of ids) {
        take({ kind: 'join', member: newMember(id) })
        take({ kind: 'connect', memberId: id })
        take({ kind: 'ready', memberId: id, isReady: true })
      }
    },
    ready: (...ids: string[]) => {
      for (const memberId of ids) take({ kind: 'ready', memberId, isReady: true })
    },
    group: () => group,
    timeline: () => group.timeline,
    member: (id: string) => group.members.get(id),
    kinds: () => effects.map(({ kind }) => kind),
    now: () => now,
  }
}
