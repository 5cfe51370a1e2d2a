import { listLibraryFiles, setFilesMissingSince, type LibraryFile } from '../../catalogue/index.ts'
import { getLibrary } from '../../libraries/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import type { DiskThreads } from '../../platform/files/index.ts'
import type { JobRun } from '../job/job-run.ts'
import { writeJobProgress, lockClaimedJob } from '../claim/job-progress.ts'
import { insertScanFailures } from '../queries/failures.ts'
import {
  areRootsUnchanged,
  describeImplausibleLoss,
  findRemovablePaths,
  isInsideLibrary,
  pruneMissingItems,
} from './remove-missing.ts'
import { guardLibraryRoots, ROOT_UNAVAILABLE, type RootAccess } from '../walk/root-guard.ts'
import type { GuardedRoot } from '../job/guarded-root.ts'

const FILES_PER_PAGE = 500

/**
 * Removes items without a file, without searching for new files, protected by the same guards as a rescan. It checks only the stored path
 * of every item, so a moved file counts as deleted.
 * @returns undefined, or the reason why nothing was removed
 */
export async function pruneLibrary(run: JobRun): Promise<string | undefined> {
  if (await recordUnavailableRoots(run)) return ROOT_UNAVAILABLE
  await markGoneFiles(run)
  return pruneMissingItems(run)
}

export type PrunePreview = {
  /** Number of the library's files in the catalogue. */
  known: number
  /** Files that a prune would remove now. */
  gone: LibraryFile[]
  /** The reason why it would remove nothing. */
  refusal: string | undefined
  isRootAway: boolean
}

/**
 * Returns what a prune would do now; writes nothing.
 * @throws AppError `library_not_found`; the signal's reason
 */
export async function previewPrune(
  services: { db: Connection; diskThreads: DiskThreads },
  { libraryId, force }: { libraryId: string; force: boolean },
  signal: AbortSignal,
): Promise<PrunePreview> {
  const library = await getLibrary(services, libraryId)
  const roots = await guardLibraryRoots(services, { library, force })
  const gone: LibraryFile[] = []
  const loss = { known: 0, missing: 0 }
  let known = 0
  for await (const { file, isAbsent } of checkLibraryFiles({
    services,
    libraryId: library.id,
    roots,
    signal,
  })) {
    known += 1
    if (isAbsent) gone.push(file)
    if (!isInsideLibrary(roots, file.path)) continue
    loss.known += 1
    loss.missing += isAbsent ? 1 : 0
  }
  const isRootAway = roots.some((root) => !root.isAvailable) || !(await areRootsUnchanged({ services, roots }))
  const refusal = isRootAway ? ROOT_UNAVAILABLE : force ? undefined : describeImplausibleLoss(loss, 'prune')
  return { known, gone, refusal, isRootAway }
}

/** Records unavailable folders with the job, as a scan does. */
async function recordUnavailableRoots({ job, services, roots }: JobRun): Promise<boolean> {
  const failures = roots.flatMap((root) =>
    root.isAvailable ? [] : [{ path: root.path, code: 'root_unavailable', reason: root.reason }],
  )
  await insertScanFailures(services.db, { jobId: job.id, failures, now: services.clock.now() })
  return failures.length > 0
}

type CheckedFile = { file: LibraryFile; isAbsent: boolean }

type Places = {
  services: RootAccess & { db: Connection }
  libraryId: string
  roots: readonly GuardedRoot[]
  signal: AbortSignal
}

async function* checkPages({ services, libraryId, roots, signal }: Places): AsyncGenerator<CheckedFile[]> {
  let after: LibraryFile | null = null
  for (;;) {
    signal.throwIfAborted()
    const page = await listLibraryFiles(services.db, { libraryId, after, limit: FILES_PER_PAGE })
    const removable = await findRemovablePaths(services, { roots, paths: page.map(({ path }) => path) })
    yield page.map((file) => ({ file, isAbsent: removable.has(file.path) }))
    after = page.at(-1) ?? null
    if (page.length < FILES_PER_PAGE) return
  }
}

async function* checkLibraryFiles(places: Places): AsyncGenerator<CheckedFile> {
  for await (const page of checkPages(places)) yield* page
}

/** Marks missing files and unmarks files that have returned, as a scan does. */
async function markGoneFiles(run: JobRun): Promise<void> {
  const { job, services, roots, signal } = run
  const { libraryId } = job
  for await (const page of checkPages({ services, libraryId, roots, signal })) {
    const lost = page.filter(({ file, isAbsent }) => isAbsent && !file.isMissing).map(({ file }) => file.id)
    const returned = page.filter(({ file, isAbsent }) => !isAbsent && file.isMissing).map(({ file }) => file.id)
    const count = page.length
    const counters = { ...run.counters, found: run.counters.found + count, updated: run.counters.updated + count }
    const row = await services.db.transaction(async (connection: Connection) => {
      await lockClaimedJob(connection, job)
      await setFilesMissingSince(connection, { ids: lost, missingSince: job.startedAt })
      await setFilesMissingSince(connection, { ids: returned, missingSince: null })
      return writeJobProgress(connection, run, { counters, currentPath: page.at(-1)?.file.path ?? null })
    })
    Object.assign(run.counters, counters)
    run.onProgress(row)
  }
}
