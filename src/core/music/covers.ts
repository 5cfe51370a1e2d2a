import type { Connection } from '../platform/database/index.ts'
import { replaceCovers, type CoverRow } from './queries/write.ts'

export type CoverWrite = CoverRow

/** The picture that the albums of a folder have, and nothing where a folder has none any more. The folders are the scan's own. */
export async function writeCovers(
  connection: Connection,
  input: { libraryId: string; folderHashes: readonly Buffer[]; covers: readonly CoverWrite[] },
): Promise<void> {
  if (input.folderHashes.length > 0) await replaceCovers(connection, input)
}
