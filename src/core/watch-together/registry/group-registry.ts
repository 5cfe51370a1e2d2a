import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { nextDeadline } from '../group/deadlines.ts'
import type { GroupEffect } from '../group/effects.ts'
import { watchGroupErrors } from '../group/errors.ts'
import type { WatchGroup } from '../group/group.ts'
import type { GroupEvent } from '../group/inputs.ts'
import { stepGroup } from '../group/step.ts'

/** Called after each step. It must not throw. */
export type GroupListener = (group: WatchGroup, effects: readonly GroupEffect[], input: GroupEvent) => void

/** The groups of this process. Each has at most one timer. */
export type GroupRegistry = {
  list(): WatchGroup[]
  find(groupId: string): WatchGroup | undefined
  add(group: WatchGroup): void
  /** Removes a group that another process has taken over. */
  remove(groupId: string): void
  /** @throws AppError `group_not_found`, and the errors of `stepGroup` */
  dispatch(groupId: string, input: GroupEvent): void
  /** Applies everything that is due in all groups. */
  tick(): void
  /** Clears all timers and forgets all groups. */
  close(): void
}

/** Longest timer of Node; a later deadline is checked again. */
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1

type Entry = { group: WatchGroup; timer: NodeJS.Timeout | undefined }

export function createGroupRegistry(
  { serverMilliseconds, log }: { serverMilliseconds: () => number; log: Logger },
  onStep: GroupListener,
): GroupRegistry {
  const entries = new Map<string, Entry>()

  function dispatch(groupId: string, input: GroupEvent): void {
    const entry = entries.get(groupId)
    if (entry === undefined) throw watchGroupErrors.group_not_found()
    const { group, effects } = stepGroup(entry.group, input, serverMilliseconds())
    entry.group = group
    if (group.isDissolved) remove(groupId)
    else schedule(entry)
    try {
      onStep(group, effects, input)
    } catch (error) {
      log.error({ groupId, reason: describeError(error) }, 'the effects of a watch group failed')
    }
  }

  function schedule(entry: Entry): void {
    clearTimeout(entry.timer)
    const deadline = nextDeadline(entry.group)
    if (deadline === undefined) return
    const milliseconds = Math.min(Math.max(1, Math.ceil(deadline - serverMilliseconds())), MAX_TIMER_MILLISECONDS)
    entry.timer = setTimeout(() => tickOne(entry.group.id), milliseconds)
    entry.timer.unref()
  }

  function tickOne(groupId: string): void {
    try {
      dispatch(groupId, { kind: 'tick' })
    } catch (error) {
      log.error({ groupId, reason: describeError(error) }, 'a watch group failed')
    }
  }

  function remove(groupId: string): void {
    clearTimeout(entries.get(groupId)?.timer)
    entries.delete(groupId)
  }

  return {
    list: () => [...entries.values()].map(({ group }) => group),
    find: (groupId) => entries.get(groupId)?.group,
    add(group) {
      const entry: Entry = { group, timer: undefined }
      entries.set(group.id, entry)
      schedule(entry)
    },
    remove,
    dispatch,
    tick() {
      for (const groupId of entries.keys()) tickOne(groupId)
    },
    close() {
      for (const groupId of entries.keys()) remove(groupId)
    },
  }
}
