import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { watchGroupErrors } from '../group/errors.ts'
import type { WatchGroup } from '../group/group.ts'
import { hasExpired } from '../group/deadlines.ts'
import { GROUP_LIMITS, GROUP_TIMES } from '../group/limits.ts'
import {
  claimGroup,
  deleteGroup,
  insertGroup,
  renewGroups,
  selectGroup,
  selectGroupListings,
  selectOwnedGroupIds,
  updateGroup,
} from '../queries.ts'
import { deserializeGroup, adoptStoredGroup, serializeGroup } from './group-state.ts'

/** The groups of all processes in the database. */
export type GroupStore = {
  /** @throws AppError `too_many_groups`, `database_unavailable` */
  insert(group: WatchGroup): Promise<void>
  /** The process that has a group; undefined if there is no such group, or it was removed and its row is not deleted yet. */
  holderOf(groupId: string): Promise<string | undefined>
  /**
   * Takes a group from a process that has ended; undefined if another one was faster. The row is deleted if its state cannot be read, or if the
   * group was without activity for too long.
   */
  claim(groupId: string, from: string): Promise<WatchGroup | undefined>
  /**
   * The 200 newest groups of all processes as of their last stored states, without chat and queue; those of an ended process for an hour.
   */
  list(): Promise<WatchGroup[]>
  read(groupId: string): Promise<WatchGroup | undefined>
  /** Stores the current state. While a save runs, later states wait and only the last one is stored. */
  save(group: WatchGroup): void
  remove(group: WatchGroup): void
  /** Repeats the writes and deletions that have failed. */
  retry(): void
  /** Renews the rows of the groups of this process. Deletes its other rows, and those that no process renews. */
  renew(groupIds: readonly string[]): Promise<void>
  /** The groups among these that another process has taken, or whose rows no longer exist. */
  listLost(groupIds: readonly string[]): Promise<string[]>
  /** Resolves when nothing is being stored. */
  settled(): Promise<void>
}

/** Maximum number of groups in a list. */
const MAX_LISTED = 200

/** A row that was not renewed for this time belongs to no group: groups are dissolved after an hour. */
const FORGET_MILLISECONDS = 7_200_000

type Services = { db: Database; log: Logger; serverMilliseconds: () => number }

/** @param onLost called when another process has taken a group of this one */
export function createGroupStore(
  { db, log, serverMilliseconds }: Services,
  { processId, onLost }: { processId: string; onLost: (groupId: string) => void },
): GroupStore {
  /** Newest unsaved state by group; null when it is to be deleted. */
  const waiting = new Map<string, WatchGroup | null>()
  const running = new Map<string, Promise<void>>()
  const failed = new Map<string, WatchGroup | null>()
  /** Groups that are over, until their rows are deleted. */
  const removed = new Set<string>()

  async function write(groupId: string, next: WatchGroup | null): Promise<void> {
    if (next === null) {
      await deleteGroup(db, { id: groupId, processId })
      removed.delete(groupId)
    } else if (!(await updateGroup(db, { id: groupId, processId, ...statesOf(next, serverMilliseconds()) })))
      onLost(groupId)
  }

  async function drain(groupId: string): Promise<void> {
    for (let next = waiting.get(groupId); next !== undefined; next = waiting.get(groupId)) {
      waiting.delete(groupId)
      try {
        await write(groupId, next)
      } catch (error) {
        failed.set(groupId, next)
        log.warning({ groupId, reason: describeError(error) }, 'a watch group could not be stored')
      }
    }
    // Nothing is awaited between the last check and this line, so a state that is added later starts a new run.
    running.delete(groupId)
  }

  function queue(groupId: string, state: WatchGroup | null): void {
    failed.delete(groupId)
    waiting.set(groupId, state)
    if (!running.has(groupId)) running.set(groupId, drain(groupId))
  }

  const read = (text: string, age: number): WatchGroup | undefined =>
    deserializeGroup(text, { now: serverMilliseconds(), age })

  return {
    async insert(group) {
      const { id, ownerId } = group
      const limits = {
        maxOfOwner: GROUP_LIMITS.groupsOfAccount,
        max: GROUP_LIMITS.groups,
        forgetMilliseconds: FORGET_MILLISECONDS,
      }
      const row = { id, ownerId, processId, ...statesOf(group, serverMilliseconds()), ...limits }
      if (!(await db.transaction((transaction) => insertGroup(transaction, row))))
        throw watchGroupErrors.too_many_groups()
    },
    async holderOf(groupId) {
      return removed.has(groupId) ? undefined : (await selectGroup(db, groupId))?.processId
    },
    async claim(groupId, from) {
      const row = await claimGroup(db, { id: groupId, from, to: processId })
      if (row === undefined || removed.has(groupId)) return undefined
      const group = read(row.state, row.ageMilliseconds)
      if (group !== undefined && !hasExpired(group, serverMilliseconds()))
        return adoptStoredGroup(group, serverMilliseconds())
      await deleteGroup(db, { id: groupId, processId })
      return undefined
    },
    async list() {
      const listings = await selectGroupListings(db, { limit: MAX_LISTED, maxAgeMilliseconds: GROUP_TIMES.idle })
      return listings.flatMap(({ listing, ageMilliseconds }) => read(listing, ageMilliseconds) ?? [])
    },
    async read(groupId) {
      const row = await selectGroup(db, groupId)
      return row && read(row.state, row.ageMilliseconds)
    },
    save: (group) => queue(group.id, group),
    remove(group) {
      removed.add(group.id)
      queue(group.id, null)
    },
    retry() {
      for (const [groupId, state] of failed) queue(groupId, state)
    },
    async renew(groupIds) {
      await renewGroups(db, { ids: groupIds, processId, forgetMilliseconds: FORGET_MILLISECONDS })
    },
    async listLost(groupIds) {
      const own = new Set(await selectOwnedGroupIds(db, { ids: groupIds, processId }))
      return groupIds.filter((id) => !own.has(id))
    },
    async settled() {
      await Promise.all(running.values())
    },
  }
}

function statesOf(group: WatchGroup, now: number): { state: string; listing: string } {
  return { state: serializeGroup(group, now), listing: serializeGroup({ ...group, chat: [], queue: [] }, now) }
}
