import type { Connection } from '../platform/database/index.ts'
import { replaceCovers, type CoverRow } from './queries/write.ts'

export type CoverWrite = CoverRow

/**
 * Stores the cover pictures of the albums in some folders, and deletes the stored covers of folders that no longer have one. The folders
 * are the ones that a scan has read.
 */
export async function writeCovers(
  connection: Connection,
  input: { libraryId: string; folderHashes: readonly Buffer[]; covers: readonly CoverWrite[] },
): Promise<void> {
  if (input.folderHashes.length > 0) await replaceCovers(connection, input)
}
