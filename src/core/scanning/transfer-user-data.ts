import { findSuccessors, findIdsByPath, reapplyMerges } from '../catalogue/index.ts'
import { moveVersions } from '../collections/index.ts'
import { listPlayedVersions, movePositions } from '../playback/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { listVersionsWithUserData, mergeUserData } from '../user-items/index.ts'
import type { SeenFolder } from './scan-event.ts'

/**
 * What people said about a film that has become a version of another one, and played of it, is that one's from now on: lists show a
 * version no longer. Its place in collections too.
 */
export async function transferToVersions(
  connection: Connection,
  input: { libraryId: string; now: Date },
): Promise<void> {
  await reapplyMerges(connection, input)
  await moveVersions(connection, input)
  for (const move of await listVersionsWithUserData(connection, input)) await mergeUserData(connection, move)
  for (const move of await listPlayedVersions(connection, input)) await movePositions(connection, move)
}

/** The other way round: where the file that stood for a film is gone and another version stands for it now, that is what people mean. */
export async function transferToSuccessors(
  connection: Connection,
  { libraryId, folders }: { libraryId: string; folders: readonly SeenFolder[] },
): Promise<void> {
  const successors = folders.flatMap((folder) => folder.successors)
  if (successors.length === 0) return
  const ids = await findIdsByPath(connection, { libraryId, paths: successors.map(({ path }) => path) })
  for (const { fromId, path } of successors) {
    const toId = ids.get(path)
    if (toId !== undefined) await takeOver(connection, { fromId, toId })
  }
}

/** Before files are removed: of a film with further versions the first of those that stay takes over. */
export async function transferFromRemoved(connection: Connection, ids: readonly string[]): Promise<void> {
  for (const move of await findSuccessors(connection, ids)) await takeOver(connection, move)
}

async function takeOver(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await movePositions(connection, move)
  await mergeUserData(connection, move)
}
