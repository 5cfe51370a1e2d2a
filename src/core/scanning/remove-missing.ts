import { dirname } from 'node:path'
import { countFiles, countMissingFiles, listMissingFiles, removeMissingItems } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { statFiles } from '../platform/files/index.ts'
import { noteRemovals } from './enqueue-change-events.ts'
import { transferFromRemoved } from './transfer-user-data.ts'
import type { JobRun } from './job-run.ts'
import { advance, lockOwnJob } from './progress.ts'
import { pruneGroups } from './prune-groups.ts'
import { isSameRoot, ROOT_UNAVAILABLE, type GuardedRoot, type RootPatience } from './root-guard.ts'

const FILES_PER_PAGE = 100

/** More than this share of a library, and more than this many items, missing at once looks like an outage (decisions 3.5). */
const MAX_MISSING_SHARE = 0.2
const MAX_MISSING_ITEMS = 50

type Loss = { known: number; missing: number }

/**
 * Removes what is missing, unless it is too much to be believed, and then the series, seasons and other groups that are left empty.
 * @returns undefined, or why nothing, or not everything, was removed
 */
export async function pruneMissing(run: JobRun): Promise<string | undefined> {
  const refusal = (await judgeLoss(run)) ?? (await removeMissing(run))
  if (refusal === undefined) await pruneGroups(run)
  return refusal
}

/**
 * What is missing now, against what a person may have deleted on purpose. Files below a folder that was taken out of the library do
 * not count on either side: that was on purpose.
 * @returns undefined, or why nothing may be removed
 */
async function judgeLoss({ job, services, roots }: JobRun): Promise<string | undefined> {
  if (job.options.force === true) return undefined
  const sumOver = async (count: typeof countFiles): Promise<number> => {
    let sum = 0
    for (const { path } of roots) sum += await count(services.db, { libraryId: job.libraryId, below: path })
    return sum
  }
  const missing = await sumOver(countMissingFiles)
  // So few are believed whatever the rest is, which need not be counted then.
  if (missing <= MAX_MISSING_ITEMS) return undefined
  return describeLoss({ known: await sumOver(countFiles), missing }, job.type)
}

/** The sentence for a loss that is too large to be believed; undefined for one that may be meant. */
export function describeLoss({ known, missing }: Loss, jobType: string): string | undefined {
  if (missing <= Math.max(MAX_MISSING_ITEMS, known * MAX_MISSING_SHARE)) return undefined
  return `${missing} of ${known} items are missing at once: nothing was removed (a ${jobType} with --force removes them)`
}

/**
 * Removes the items that are marked missing, each after one more look at its place.
 * @returns undefined, or why the rest was left
 */
async function removeMissing(run: JobRun): Promise<string | undefined> {
  const { job, services, roots } = run
  let afterId: string | null = null
  for (;;) {
    run.signal.throwIfAborted()
    const page = await listMissingFiles(services.db, { libraryId: job.libraryId, afterId, limit: FILES_PER_PAGE })
    const verified = page.filter(({ path }) => isVerified(run, path))
    const removable = await findRemovable(services, { roots, paths: verified.map(({ path }) => path) })
    const gone = verified.filter(({ path }) => removable.has(path)).map(({ id }) => id)
    // After the files were looked at: had a disk been unmounted before, its folder would look different now.
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
    await lockOwnJob(connection, job)
    await noteRemovals(connection, { jobId: job.id, ids })
    await transferFromRemoved(connection, ids)
    counters.removed += await removeMissingItems(connection, ids)
    return advance(connection, run, { counters, currentPath: null })
  })
  Object.assign(run.counters, counters)
  run.onProgress(row)
}

type RootsUnderGuard = { services: RootPatience; roots: readonly GuardedRoot[] }

/** Whether the folders that could be looked at are still what they were when the job began. */
export async function areRootsUnchanged({ services, roots }: RootsUnderGuard): Promise<boolean> {
  for (const root of roots) if (root.isAvailable && !(await isSameRoot(services, root))) return false
  return true
}

/** Whether everything about this path is known: it does not lie at or below something that could not be looked at. */
export function isVerified({ unverified }: Pick<JobRun, 'unverified'>, path: string): boolean {
  for (let place = path; ; place = dirname(place)) {
    if (unverified.has(place)) return false
    if (place === dirname(place)) return true
  }
}

type Places = { roots: readonly GuardedRoot[]; paths: readonly string[] }

/**
 * The paths that are gone from the disk, or lie in a folder that no longer belongs to the library.
 * @throws AppError `folder_unavailable` when a disk does not answer
 */
export async function findRemovable(patience: RootPatience, { roots, paths }: Places): Promise<ReadonlySet<string>> {
  const gone = await findGone(
    patience,
    paths.filter((path) => isInside(roots, path)),
  )
  return new Set(paths.filter((path) => gone.has(path) || !isInside(roots, path)))
}

/** Whether a path lies in one of a library's folders. */
export function isInside(roots: readonly GuardedRoot[], path: string): boolean {
  return roots.some((root) => path.startsWith(`${root.path}/`))
}

/**
 * The paths that nothing is at. Only a clear "no such file" counts; every other answer means that nobody knows.
 * @throws AppError `folder_unavailable` when a disk does not answer
 */
export async function findGone(
  { silenceLimitMilliseconds }: RootPatience,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const looks = await statFiles(paths, silenceLimitMilliseconds)
  return new Set(paths.filter((_, index) => looks[index]?.kind === 'absent'))
}
