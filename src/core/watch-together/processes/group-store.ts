import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { groupErrors } from '../group/errors.ts'
import type { Group } from '../group/group.ts'
import { GROUP_LIMITS } from '../group/limits.ts'
import {
  claimGroup,
  deleteGroup,
  insertGroup,
  renewGroups,
  selectGroup,
  selectListings,
  updateGroup,
} from '../queries.ts'
import { readState, writeState } from './group-state.ts'

/** The groups of all processes in the database. */
export type GroupStore = {
  /** @throws AppError `too_many_groups`, `database_unavailable` */
  insert(group: Group): Promise<void>
  /** The process that has a group; undefined if there is no such group. */
  holderOf(groupId: string): Promise<string | undefined>
  /** Takes a group from a process that has ended; undefined if another one was faster. */
  claim(groupId: string, from: string): Promise<Group | undefined>
  /** The 200 newest groups of all processes as of their last stored states, without chat and queue. */
  list(): Promise<Group[]>
  read(groupId: string): Promise<Group | undefined>
  /** Stores the current state. While a save runs, later states wait and only the last one is stored. */
  save(group: Group): void
  remove(group: Group): void
  /** Renews the rows of this process, and deletes those that no process renews. */
  renew(): Promise<void>
  /** Resolves when nothing is being stored. */
  settled(): Promise<void>
}

/** Groups in a list. */
const MAX_LISTED = 200

/** A row that was not renewed for this time belongs to no group: groups are dissolved after an hour. */
const FORGET_MILLISECONDS = 7_200_000

type Services = { db: Database; clock: Clock; log: Logger; serverMilliseconds: () => number }

/** @param onLost called when another process has taken a group of this one */
export function createGroupStore(
  { db, clock, log, serverMilliseconds }: Services,
  { processId, onLost }: { processId: string; onLost: (groupId: string) => void },
): GroupStore {
  /** Newest unsaved state by group; null when it is to be deleted. */
  const waiting = new Map<string, Group | null>()
  const running = new Map<string, Promise<void>>()

  async function drain(groupId: string): Promise<void> {
    for (let next = waiting.get(groupId); next !== undefined; next = waiting.get(groupId)) {
      waiting.delete(groupId)
      try {
        if (next === null) await deleteGroup(db, { id: groupId, processId })
        else if (!(await updateGroup(db, { id: groupId, processId, ...statesOf(next), now: clock.now() })))
          onLost(groupId)
      } catch (error) {
        log.warning({ groupId, reason: describeError(error) }, 'a watch group could not be stored')
      }
    }
  }

  function queue(groupId: string, state: Group | null): void {
    waiting.set(groupId, state)
    if (running.has(groupId)) return
    running.set(
      groupId,
      drain(groupId).finally(() => running.delete(groupId)),
    )
  }

  return {
    async insert(group) {
      const { id, ownerId } = group
      const limits = { maxOfOwner: GROUP_LIMITS.groupsOfAccount, max: GROUP_LIMITS.groups }
      const row = { id, ownerId, processId, ...statesOf(group), now: clock.now(), ...limits }
      if (!(await insertGroup(db, row))) throw groupErrors.too_many_groups()
    },
    async holderOf(groupId) {
      return (await selectGroup(db, groupId))?.processId
    },
    async claim(groupId, from) {
      const row = await claimGroup(db, { id: groupId, from, to: processId, now: clock.now() })
      return row === undefined ? undefined : readState(row.state, serverMilliseconds())
    },
    async list() {
      const listings = await selectListings(db, MAX_LISTED)
      return listings.flatMap((listing) => readState(listing, serverMilliseconds()) ?? [])
    },
    async read(groupId) {
      const row = await selectGroup(db, groupId)
      return row === undefined ? undefined : readState(row.state, serverMilliseconds())
    },
    save: (group) => queue(group.id, group),
    remove: (group) => queue(group.id, null),
    async renew() {
      const now = clock.now()
      await renewGroups(db, { processId, now, before: new Date(now.getTime() - FORGET_MILLISECONDS) })
    },
    async settled() {
      await Promise.all(running.values())
    },
  }
}

function statesOf(group: Group): { state: string; listing: string } {
  return { state: writeState(group), listing: writeState({ ...group, chat: [], queue: [] }) }
}
