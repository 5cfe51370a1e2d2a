import type { Connection } from '../../platform/database/index.ts'
import { deleteEmptyGroups, lockMergeableGroups, mergeGroupRows } from '../queries/move-items.ts'

/**
 * Whether an old group may replace a newer group to which its members moved: the old group has no present member left, and the new group
 * was created no earlier than `since`, when the members of the old group were missed. Locks both groups for the rest of the transaction.
 */
export async function lockGroupsIfMergeable(
  connection: Connection,
  input: { keptId: string; newId: string; since: Date },
): Promise<boolean> {
  return lockMergeableGroups(connection, input)
}

/** Moves key, place, members and pictures of another group to this group and deletes the other. Within a transaction. */
export async function mergeGroups(
  connection: Connection,
  input: { keptId: string; newId: string; now: Date },
): Promise<void> {
  await mergeGroupRows(connection, input)
}

/**
 * Deletes the groups of a library without any member, present or missing, from the lowest level up.
 * @returns hashes of the folders that described them: if those groups are created again, the folders have to be read again
 */
export async function removeEmptyGroups(connection: Connection, libraryId: string): Promise<Buffer[]> {
  const folderHashes: Buffer[] = []
  for (;;) {
    const removed = await deleteEmptyGroups(connection, libraryId)
    if (removed.count === 0) return folderHashes
    folderHashes.push(...removed.folderHashes)
  }
}
