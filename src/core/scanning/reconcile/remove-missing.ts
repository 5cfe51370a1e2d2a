import { dirname } from 'node:path'
import { countFiles, countMissingFiles, listMissingFiles, removeMissingItems } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { statFiles } from '../../platform/files/index.ts'
import { recordRemovals } from '../store/enqueue-change-events.ts'
import { transferUserDataOfRemovedFiles } from '../store/transfer-user-data.ts'
import type { JobRun } from '../job/job-run.ts'
import { writeJobProgress, lockClaimedJob } from '../claim/job-progress.ts'
import { pruneGroups } from './prune-groups.ts'
import { isSameRoot, ROOT_UNAVAILABLE, type RootAccess } from '../walk/root-guard.ts'
import type { GuardedRoot } from '../job/guarded-root.ts'
import { pluralize } from '../../platform/errors/index.ts'

const FILES_PER_PAGE = 100

/** More missing items than this fraction and this number suggest an outage. */
const MAX_MISSING_SHARE = 0.2
const MAX_MISSING_ITEMS = 50

type Loss = { known: number; missing: number }

/**
 * Removes missing items unless there are implausibly many, and then groups such as series and seasons that are left empty.
 * @returns undefined, or the reason why nothing, or not everything, was removed
 */
export async function pruneMissingItems(run: JobRun): Promise<string | undefined> {
  const refusal = (await judgeLoss(run)) ?? (await removeMissing(run))
  if (refusal === undefined) await pruneGroups(run)
  return refusal
}

/**
 * Decides whether the missing items may have been deleted on purpose. Files below a folder that was removed from the library are not counted,
 * because that was deliberate.
 * @returns undefined, or the reason why nothing may be removed
 */
async function judgeLoss({ job, services, roots }: JobRun): Promise<string | undefined> {
  if (job.options.force === true) return undefined
  const sumOver = async (count: typeof countFiles): Promise<number> => {
    let sum = 0
    for (const { path } of roots) sum += await count(services.db, { libraryId: job.libraryId, below: path })
    return sum
  }
  const missing = await sumOver(countMissingFiles)
  // Such a small number is always plausible, so the total is not counted.
  if (missing <= MAX_MISSING_ITEMS) return undefined
  return describeImplausibleLoss({ known: await sumOver(countFiles), missing }, job.type)
}

/** Returns the message if so many files are missing that the loss is implausible; undefined otherwise. */
export function describeImplausibleLoss({ known, missing }: Loss, jobType: string): string | undefined {
  if (missing <= Math.max(MAX_MISSING_ITEMS, known * MAX_MISSING_SHARE)) return undefined
  const verb = missing === 1 ? 'is' : 'are'
  return `${missing} of ${pluralize(known, 'item')} ${verb} missing at once: nothing was removed (a ${jobType} with --force removes them)`
}

/**
 * Removes the items that are marked missing, after checking each path again.
 * @returns undefined, or the reason why the remaining items were kept
 */
async function removeMissing(run: JobRun): Promise<string | undefined> {
  const { job, services, roots } = run
  let afterId: string | null = null
  for (;;) {
    run.signal.throwIfAborted()
    const page = await listMissingFiles(services.db, { libraryId: job.libraryId, afterId, limit: FILES_PER_PAGE })
    const verified = page.filter(({ path }) => isPathStateKnown(run, path))
    const removable = await findRemovablePaths(services, { roots, paths: verified.map(({ path }) => path) })
    const gone = verified.filter(({ path }) => removable.has(path)).map(({ id }) => id)
    // The roots are compared after checking the files: if a disk was unmounted before the check, its folder has changed by now.
    if (!(await areRootsUnchanged(run))) return ROOT_UNAVAILABLE
    await remove(run, gone)
    afterId = page.at(-1)?.id ?? null
    if (page.length < FILES_PER_PAGE) return undefined
  }
}

async function remove(run: JobRun, ids: readonly string[]): Promise<void> {
  const { job, services } = run
  const counters = { ...run.counters }
  const row = await services.db.transaction(async (connection: Connection) => {
    await lockClaimedJob(connection, job)
    await recordRemovals(connection, { jobId: job.id, ids })
    await transferUserDataOfRemovedFiles(connection, ids)
    counters.removed += await removeMissingItems(connection, ids)
    return writeJobProgress(connection, run, { counters, currentPath: null })
  })
  Object.assign(run.counters, counters)
  run.onProgress(row)
}

type RootsUnderGuard = { services: RootAccess; roots: readonly GuardedRoot[] }

/** Returns whether the available folders are unchanged since the start of the job. */
export async function areRootsUnchanged({ services, roots }: RootsUnderGuard): Promise<boolean> {
  for (const root of roots) if (root.isAvailable && !(await isSameRoot(services, root))) return false
  return true
}

/** Returns whether the state of a path is known: neither the path nor a folder above it was unreadable. */
export function isPathStateKnown({ unverified }: Pick<JobRun, 'unverified'>, path: string): boolean {
  for (let place = path; ; place = dirname(place)) {
    if (unverified.has(place)) return false
    if (place === dirname(place)) return true
  }
}

type Places = { roots: readonly GuardedRoot[]; paths: readonly string[] }

/**
 * Returns the paths that no longer exist, or that are in a folder that no longer belongs to the library.
 * @throws AppError `folder_unavailable` if a disk does not answer
 */
export async function findRemovablePaths(services: RootAccess, { roots, paths }: Places): Promise<ReadonlySet<string>> {
  const gone = await findNonexistentPaths(
    services,
    paths.filter((path) => isInsideLibrary(roots, path)),
  )
  return new Set(paths.filter((path) => gone.has(path) || !isInsideLibrary(roots, path)))
}

/** Returns whether a path is inside one of a library's folders. */
export function isInsideLibrary(roots: readonly GuardedRoot[], path: string): boolean {
  return roots.some((root) => path.startsWith(`${root.path}/`))
}

/**
 * Returns the paths that do not exist. Only an explicit "no such file" counts; any other error leaves the state unknown.
 * @throws AppError `folder_unavailable` if a disk does not answer
 */
export async function findNonexistentPaths(
  { diskThreads, silenceLimitMilliseconds }: RootAccess,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const stats = await statFiles({ diskThreads }, paths, silenceLimitMilliseconds)
  return new Set(paths.filter((_, index) => stats[index]?.kind === 'absent'))
}
