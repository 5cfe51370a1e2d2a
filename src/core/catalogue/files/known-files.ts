import type { Connection } from '../../platform/database/index.ts'
import {
  deleteMissingItems,
  existsFile,
  selectFileCount,
  selectFileSample,
  selectFilesInFolders,
  selectSuccessors,
  selectIdsByPath,
  selectMissingFileCount,
  selectMissingFiles,
  selectMoveCandidates,
  selectFolderHashesOfUnreadFiles,
  updateMissingSince,
  type KnownFile,
  type MissingFile,
  type MoveCandidate,
} from '../queries/files.ts'
import { moveItem } from '../queries/move-items.ts'

export type { KnownFile, MissingFile, MoveCandidate } from '../queries/files.ts'

/** The rows of a library whose files lie directly in one of these folders. */
export async function findFilesInFolders(
  connection: Connection,
  input: { libraryId: string; folders: readonly string[] },
): Promise<KnownFile[]> {
  return input.folders.length === 0 ? [] : selectFilesInFolders(connection, input)
}

/** The path hashes (`pathHash`) of the folders that contain a file which no scan has been able to read. */
export async function listFolderHashesOfUnreadFiles(connection: Connection, libraryId: string): Promise<Buffer[]> {
  return selectFolderHashesOfUnreadFiles(connection, libraryId)
}

/** Sets the time since which files are missing (null: present). Rows that already have the state keep their time. */
export async function setFilesMissingSince(
  connection: Connection,
  input: { ids: readonly string[]; missingSince: Date | null },
): Promise<void> {
  if (input.ids.length > 0) await updateMissingSince(connection, input)
}

/** Whether the catalogue knows files at or below a folder, present or missing. */
export async function hasFiles(connection: Connection, place: { libraryId: string; below: string }): Promise<boolean> {
  return existsFile(connection, place)
}

/** The number of files at or below a folder. Reads each row: some half a second for a few hundred thousand files. */
export async function countFiles(connection: Connection, place: { libraryId: string; below: string }): Promise<number> {
  return selectFileCount(connection, place)
}

/** The number of missing files at or below a folder. The cost depends only on the number of missing files. */
export async function countMissingFiles(
  connection: Connection,
  place: { libraryId: string; below: string },
): Promise<number> {
  return selectMissingFileCount(connection, place)
}

/** A sample of the files that are marked present at or below a folder. */
export async function sampleFiles(
  connection: Connection,
  input: { libraryId: string; below: string; limit: number },
): Promise<KnownFile[]> {
  return selectFileSample(connection, input)
}

/** A page of the missing files of a library, by id. */
export async function listMissingFiles(
  connection: Connection,
  input: { libraryId: string; afterId: string | null; limit: number },
): Promise<MissingFile[]> {
  return selectMissingFiles(connection, input)
}

/**
 * Pairs of a missing file and a present file that it may have become: with the same canonical key and type, and first seen no earlier than
 * the missing file was missed. One row per pair, so that the caller can detect an ambiguous match.
 */
export async function findMoveCandidates(
  connection: Connection,
  input: { libraryId: string; startedAt: Date },
): Promise<MoveCandidate[]> {
  return selectMoveCandidates(connection, input)
}

/**
 * Moves a missing item to the path of the row that was created for its new place. It takes over path, names and references of that row,
 * and that row is deleted.
 */
export async function moveItemToPath(
  connection: Connection,
  input: { missingId: string; foundId: string; now: Date },
): Promise<void> {
  await moveItem(connection, input)
}

/** Deletes rows (with their streams and children) that are still marked missing. Returns their number. */
export async function removeMissingItems(connection: Connection, ids: readonly string[]): Promise<number> {
  return ids.length === 0 ? 0 : deleteMissingItems(connection, ids)
}

/** For items that are about to be deleted: the first version of each that remains. Items without a remaining version are absent. */
export async function findSuccessors(
  connection: Connection,
  ids: readonly string[],
): Promise<readonly { fromId: string; toId: string }[]> {
  return ids.length === 0 ? [] : selectSuccessors(connection, ids)
}

/** The ids of the items at these paths. Paths without an item are absent. */
export async function findIdsByPath(
  connection: Connection,
  input: { libraryId: string; paths: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const rows = await selectIdsByPath(connection, input)
  return new Map(rows.map(({ id, path }) => [path, id]))
}
