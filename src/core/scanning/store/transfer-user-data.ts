import { findSuccessors, findIdsByPath, reapplyMerges } from '../../catalogue/index.ts'
import { replaceVersionsInCollections } from '../../collections/index.ts'
import { listPlayedVersions, movePositions } from '../../playback/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { listVersionsWithUserData, mergeUserData } from '../../user-items/index.ts'
import type { CompletedFolder } from '../job/scan-event.ts'

/**
 * A film that has become a version of another film is no longer in lists. Transfers its user data, playback positions and collection
 * entries to the other film.
 */
export async function transferUserDataToVersions(
  connection: Connection,
  input: { libraryId: string; now: Date },
): Promise<void> {
  await reapplyMerges(connection, input)
  await replaceVersionsInCollections(connection, input)
  for (const move of await listVersionsWithUserData(connection, input)) await mergeUserData(connection, move)
  for (const move of await listPlayedVersions(connection, input)) await movePositions(connection, move)
}

/** Transfers user data and playback positions to the version that now represents a film whose own file is gone. */
export async function transferUserDataToSuccessors(
  connection: Connection,
  { libraryId, folders }: { libraryId: string; folders: readonly CompletedFolder[] },
): Promise<void> {
  const successors = folders.flatMap((folder) => folder.successors)
  if (successors.length === 0) return
  const ids = await findIdsByPath(connection, { libraryId, paths: successors.map(({ path }) => path) })
  for (const { fromId, path } of successors) {
    const toId = ids.get(path)
    if (toId !== undefined) await transferData(connection, { fromId, toId })
  }
}

/** To be called before files are removed: transfers user data and playback positions to the first remaining version of each film. */
export async function transferUserDataOfRemovedFiles(connection: Connection, ids: readonly string[]): Promise<void> {
  for (const move of await findSuccessors(connection, ids)) await transferData(connection, move)
}

async function transferData(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await movePositions(connection, move)
  await mergeUserData(connection, move)
}
