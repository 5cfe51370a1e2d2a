import {
  countUnreadFiles,
  storeProbeResult,
  listUnreadFiles,
  markUnreadable,
  type LibraryFile,
} from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { AppError, describeError, systemErrorCode } from '../../platform/errors/index.ts'
import { fileErrors, openInsideRoot } from '../../platform/files/index.ts'
import { mediaToolErrors } from '../../platform/media-tools/index.ts'
import { probeFile, type ProbedFile } from '../../probing/index.ts'
import { countUnindexedFilms, needsStreamIndex } from '../../streaming/index.ts'
import { backfillKeyFrameIndexes } from './backfill-key-frame-indexes.ts'
import { indexVideoStream } from './index-video-stream.ts'
import type { JobRun } from '../job/job-run.ts'
import { writeJobProgress, lockClaimedJob } from '../claim/job-progress.ts'
import { toStreamWrite } from '../store/item-write.ts'
import { insertScanFailures } from '../queries/failures.ts'

/**
 * Files read concurrently. More than one, because ffprobe starts slowly and reads little. Not more than two, because playback has priority.
 */
const FILES_PER_BATCH = 2

/**
 * Probes existing files that have not been probed, and writes their technical facts; nothing else of an item changes. Then determines
 * missing stream indexes. Files with earlier failures come last. Files that have been probed are not probed again, and files with a stream
 * index are not indexed again, so repeated runs are cheap.
 * @returns always undefined, which is the end of a completed job: an unreadable file is counted and recorded, and does not fail the job
 */
export async function backfillSource(run: JobRun): Promise<undefined> {
  const { job, services } = run
  const { libraryId } = job
  const limit = job.options.limit ?? Number.POSITIVE_INFINITY
  const [unread, unindexed] = [
    await countUnreadFiles(services.db, libraryId),
    await countUnindexedFilms(services.db, libraryId),
  ]
  const most = Math.min(limit, unread)
  run.counters.found = Math.min(limit, unread + unindexed)
  await readUnread(run, most)
  await backfillKeyFrameIndexes(run, run.counters.found - most)
  return undefined
}

async function readUnread(run: JobRun, most: number): Promise<void> {
  const { job, services } = run
  const { libraryId } = job
  let after: LibraryFile | null = null
  /** A failed file is listed again at the end; this set prevents a second attempt in the same run. */
  const tried = new Set<string>()
  while (tried.size < most) {
    run.signal.throwIfAborted()
    const page = await listUnreadFiles(services.db, { libraryId, after, limit: FILES_PER_BATCH })
    after = page.at(-1) ?? null
    if (after === null) return
    const files = page.filter(({ id }) => !tried.has(id)).slice(0, most - tried.size)
    const read = await Promise.all(files.map(async (file) => ({ file, outcome: await probeOne(run, file) })))
    for (const { id } of files) tried.add(id)
    await write(run, read)
    for (const { file, outcome } of read) if (outcome.kind === 'read') await indexFilm(run, file, outcome.facts)
  }
}

/** Determines the stream index of a film directly after probing, while the file is in the page cache. */
async function indexFilm(run: JobRun, { id, path }: LibraryFile, { source, container }: ProbedFile): Promise<void> {
  if (source === null || !needsStreamIndex({ ...source, container })) return
  await indexVideoStream(run, { itemId: id, path, streamIndex: source.videoStreamIndex, container })
}

type Outcome =
  | { kind: 'read'; facts: ProbedFile }
  | { kind: 'unreadable'; code: string; reason: string }
  | { kind: 'gone' }

type Read = { file: LibraryFile; outcome: Outcome }

async function probeOne({ services, roots, signal }: JobRun, { path }: LibraryFile): Promise<Outcome> {
  const root = roots.find((one) => path.startsWith(`${one.path}/`))
  if (root === undefined) return { kind: 'gone' }
  try {
    // Since the scan the file may have been replaced by a link that leads out of the library.
    await (await openInsideRoot(root.path, path)).close()
    return { kind: 'read', facts: await probeFile(services, path, signal) }
  } catch (error) {
    signal.throwIfAborted()
    const code = error instanceof AppError ? error.code : (systemErrorCode(error) ?? 'unknown')
    if (code === mediaToolErrors.tool_missing.definition.code) throw error
    if (code === fileErrors.file_not_found.definition.code) return { kind: 'gone' }
    return { kind: 'unreadable', code, reason: describeError(error) }
  }
}

async function write(run: JobRun, read: readonly Read[]): Promise<void> {
  const { job, services } = run
  const now = services.clock.now()
  const failures = read.flatMap(({ file, outcome }) =>
    outcome.kind === 'unreadable' ? [{ path: file.path, code: outcome.code, reason: outcome.reason }] : [],
  )
  const counters = { ...run.counters }
  counters.updated += read.length
  counters.failed += failures.length
  const row = await services.db.transaction(async (connection: Connection) => {
    await lockClaimedJob(connection, job)
    for (const one of read) await writeOutcome(connection, one, now)
    await insertScanFailures(connection, { jobId: job.id, failures, now })
    return writeJobProgress(connection, run, { counters, currentPath: read.at(-1)?.file.path ?? null })
  })
  Object.assign(run.counters, counters)
  run.onProgress(row)
}

async function writeOutcome(connection: Connection, { file, outcome }: Read, now: Date): Promise<void> {
  const itemId = file.id
  if (outcome.kind === 'unreadable') await markUnreadable(connection, { itemId, reason: outcome.reason, now })
  if (outcome.kind !== 'read') return
  const { facts } = outcome
  await storeProbeResult(connection, { itemId, file: facts, streams: facts.streams.map(toStreamWrite), now })
}
