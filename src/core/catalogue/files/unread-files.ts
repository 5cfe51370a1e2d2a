import type { Connection } from '../../platform/database/index.ts'
import type { ProbedFile } from '../../probing/index.ts'
import { replaceStreams } from '../queries/upsert-items.ts'
import {
  selectUnreadFileCount,
  selectUnreadFiles,
  updateFileFacts,
  updateProbeError,
  type FilePageRequest,
  type LibraryFile,
} from '../queries/library-files.ts'
import { postgresSafeJson, postgresSafeText } from '../item/postgres-safe.ts'
import type { StreamWrite } from '../item/item-write.ts'

/**
 * A page of the present files that have never been read: films, videos and episodes without source profile, and audio files of unknown
 * duration. Photos and books have no source profile. Files with a failed attempt come last.
 */
export async function listUnreadFiles(connection: Connection, page: FilePageRequest): Promise<LibraryFile[]> {
  return selectUnreadFiles(connection, page)
}

/** The number of files that `listUnreadFiles` lists in all. */
export async function countUnreadFiles(connection: Connection, libraryId: string): Promise<number> {
  return selectUnreadFileCount(connection, libraryId)
}

/**
 * Writes the probe result of an item that has never been read. Name, place and everything else stay.
 * @returns false if another process has written it meanwhile
 */
export async function storeProbeResult(
  connection: Connection,
  { itemId, file, streams, now }: { itemId: string; file: ProbedFile; streams: StreamWrite[]; now: Date },
): Promise<boolean> {
  const { durationSeconds, container, bitrate, chapters, source } = file
  const isFilled = await updateFileFacts(connection, {
    id: itemId,
    durationSeconds,
    container,
    bitrate,
    chapters: postgresSafeJson(chapters),
    source: postgresSafeJson(source === null ? {} : { source }),
    now,
  })
  if (isFilled) await replaceStreams(connection, [{ isNew: false, itemId, streams }])
  return isFilled
}

/** Stores why a file that has never been read cannot be read. */
export async function markUnreadable(
  connection: Connection,
  { itemId, reason, now }: { itemId: string; reason: string; now: Date },
): Promise<void> {
  await updateProbeError(connection, { id: itemId, reason: postgresSafeText(reason), now })
}
