import { relative } from 'node:path'
import { assembleBooks, reassembleBooks } from '../../audiobooks/index.ts'
import { pathHash, type WrittenItem } from '../../catalogue/index.ts'
import type { LibraryType } from '../../libraries/index.ts'
import { groupCompilations, removeEmptyAlbums, writeCovers, writeTracks } from '../../music/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { transferUserDataToVersions } from './transfer-user-data.ts'
import type { JobRun } from '../job/job-run.ts'
import { audiobookGroup } from '../media-kinds/audiobook.ts'
import { chooseCover, toMusicTrack } from '../media-kinds/music-track.ts'
import { lockClaimedJob } from '../claim/job-progress.ts'
import type { FileReadEvent, CompletedFolder } from '../job/scan-event.ts'
import type { ScanState } from '../job/scan-state.ts'

/** The result of one batch: files with their rows, and folders whose files are all written. */
type WrittenBatch = {
  files: readonly FileReadEvent[]
  written: readonly WrittenItem[]
  folders: readonly CompletedFolder[]
}

type Tables = {
  /** Runs after every batch, in its transaction. */
  write?: (connection: Connection, scan: Pick<ScanState, 'job'>, batch: WrittenBatch & { now: Date }) => Promise<void>
  /** Runs at the end of every job, when items may have been removed or moved. */
  tidy: (connection: Connection, input: { libraryId: string; now: Date }) => Promise<void>
}

/** Derived tables by library type: albums of tracks, books of files, films of versions. */
const TABLES: Partial<Record<LibraryType, Tables>> = {
  movie: { tidy: transferUserDataToVersions },
  series: { tidy: transferUserDataToVersions },
  video: { tidy: transferUserDataToVersions },
  music: { write: writeMusic, tidy: tidyMusic },
  audiobook: { write: writeBooks, tidy: reassembleBooks },
}

export async function writeLibraryTables(connection: Connection, scan: ScanState, batch: WrittenBatch): Promise<void> {
  await TABLES[scan.library.type]?.write?.(connection, scan, { ...batch, now: scan.services.clock.now() })
}

export async function cleanUpLibraryTables({ job, library, services }: JobRun): Promise<void> {
  const tables = TABLES[library.type]
  if (tables === undefined) return
  await services.db.transaction(async (connection) => {
    await lockClaimedJob(connection, job)
    await tables.tidy(connection, { libraryId: library.id, now: services.clock.now() })
  })
}

async function writeMusic(connection: Connection, { job }: Pick<ScanState, 'job'>, batch: WrittenBatch): Promise<void> {
  const { libraryId } = job
  const ids = new Map(batch.written.map(({ id, path }) => [path, id]))
  const tracks = batch.files.flatMap(({ root, path, planned, outcome }) => {
    const itemId = ids.get(path)
    const facts = outcome.kind === 'read' ? outcome.facts : null
    const local = outcome.kind === 'gone' ? [] : outcome.local
    return itemId === undefined
      ? []
      : [{ itemId, ...toMusicTrack(planned, { facts, local }, folderInside(root, path)) }]
  })
  await writeTracks(connection, { libraryId, tracks })
  await writeCovers(connection, {
    libraryId,
    folderHashes: batch.folders.map(({ path }) => pathHash(path)),
    covers: batch.folders.flatMap(coverOf),
  })
}

async function tidyMusic(connection: Connection, { libraryId }: { libraryId: string }): Promise<void> {
  await groupCompilations(connection, { libraryId })
  await removeEmptyAlbums(connection, { libraryId })
}

function coverOf({ path: folder, companions }: CompletedFolder) {
  const cover = companions.get(chooseCover(companions.keys()) ?? '')
  if (cover === undefined) return []
  const { path, sizeBytes, modifiedAtNanoseconds } = cover
  return [{ folderHash: pathHash(folder), path, sizeBytes, modifiedAtNanoseconds }]
}

async function writeBooks(
  connection: Connection,
  { job }: Pick<ScanState, 'job'>,
  { folders, now }: WrittenBatch & { now: Date },
): Promise<void> {
  const books = folders.flatMap(({ root, path }) => {
    const place = relative(root, path)
    // In the library folder itself every file is a separate book.
    if (place === '') return []
    const { key, metadata } = audiobookGroup(place)
    return [{ path, key, names: metadata }]
  })
  await assembleBooks(connection, { libraryId: job.libraryId, folders: books, now })
}

function folderInside(root: string, path: string): string {
  return relative(root, path.slice(0, path.lastIndexOf('/')))
}
