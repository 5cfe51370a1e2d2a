import { setTimeout as pause } from 'node:timers/promises'
import {
  analyseFilm,
  compareSeason,
  countFilms,
  listChangedSeasons,
  listFilms,
  MatchingThreadLost,
  seasonLanguage,
  writeFilmAnalysis,
  writeSeasonComparison,
  type ChangedSeason,
  type AnalysisFeature,
  type Film,
  type FilmAnalysis,
  type FilmSelection,
} from '../../analysis/index.ts'
import { catalogueErrors } from '../../catalogue/index.ts'
import { analysesMarkersAfterScan, makesTrickplayAfterScan } from '../../libraries/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { openInsideRoot } from '../../platform/files/index.ts'
import { writeJobProgress, lockClaimedJob } from '../claim/job-progress.ts'
import type { JobRunResult, JobRunner, JobRun } from '../job/job-run.ts'
import { insertScanFailures } from '../queries/failures.ts'
import { isSameRoot, ROOT_UNAVAILABLE } from '../walk/root-guard.ts'

const FILMS_PER_PAGE = 50

/** How often a job checks whether a player still waits for an encoder. */
const STREAMING_POLL_MILLISECONDS = 1000

/** The code of failures that `library:health` and the job list. */
const FAILED_CODE = 'analysis_failed'

/** Finds intros, outros, recaps and previews. The same reading makes the pictures of the time line if the library wants them. */
export const runMarkerAnalysis: JobRunner = (run) => analyse(run, 'markers')

/** Makes the pictures of the time line. The same reading takes the sound for markers if the library wants them. */
export const runTrickplayAnalysis: JobRunner = (run) => analyse(run, 'trickplay')

async function analyse(run: JobRun, wanted: 'markers' | 'trickplay'): Promise<JobRunResult> {
  const { job, library, roots, services } = run
  if (roots.some((root) => !root.isAvailable)) return ROOT_UNAVAILABLE
  const hasMarkers = wanted === 'markers' || analysesMarkersAfterScan(library)
  const hasTrickplay = services.trickplay !== undefined && (wanted === 'trickplay' || makesTrickplayAfterScan(library))
  const features: AnalysisFeature[] = [
    ...(hasMarkers ? (['fingerprint', 'credits'] as const) : []),
    ...(hasTrickplay ? (['trickplay'] as const) : []),
  ]
  const isForced = job.options.force === true
  const itemId = job.options.itemId ?? null
  // Results of an earlier worker of this job are kept.
  const notBefore = isForced ? job.startedAt : null
  const selection = { libraryId: library.id, features, itemId, notBefore }
  const seasons = { libraryId: library.id, itemId, notBefore }
  run.counters.found = await countFilms(services.db, selection)
  run.onProgress(await writeJobProgress(services.db, run, { counters: run.counters, currentPath: null }))
  const refusal = await analyseFilms(run, selection)
  if (refusal !== undefined || !hasMarkers) return refusal
  const changed = await listChangedSeasons(services.db, seasons)
  run.counters.found += changed.length
  for (const season of changed) await compareOne(run, season, isForced)
  return undefined
}

/** Compares one season. A failure does not prevent the comparison of the others. */
async function compareOne(run: JobRun, season: ChangedSeason, isForced: boolean): Promise<void> {
  const { services, signal } = run
  await waitForPlayers(run)
  try {
    const comparison = await compareSeason(services, { season, isForced }, signal)
    const failures = comparison.failures.map(({ path, reason }) => ({ path, code: FAILED_CODE, reason }))
    const write = (connection: Connection, now: Date) => writeSeasonComparison(connection, comparison, now)
    await store(run, { path: null, failures, write })
  } catch (error) {
    signal.throwIfAborted()
    if (!isOfSeason(error)) throw error
    services.log.warning({ seasonId: season.seasonId, reason: describeError(error) }, 'comparing a season failed')
    const failures = [{ path: `season ${season.seasonId}`, code: FAILED_CODE, reason: describeError(error) }]
    await store(run, { path: null, failures, write: () => Promise.resolve() })
  }
}

/** Whether an error belongs to one season: an episode that was removed meanwhile, or a thread that ran out of memory. */
function isOfSeason(error: unknown): boolean {
  return error instanceof MatchingThreadLost || isMissingItem(error)
}

function isMissingItem(error: unknown): boolean {
  return error instanceof AppError && error.code === catalogueErrors.media_item_not_found.definition.code
}

/** @returns why the job ends before its end; undefined when all films were read */
async function analyseFilms(run: JobRun, selection: FilmSelection): Promise<string | undefined> {
  const { services, signal } = run
  const languages = new Map<string, string | null>()
  const languageOf = async ({ seasonId }: Film): Promise<string | null> => {
    if (seasonId === null) return null
    const known = languages.get(seasonId)
    if (known !== undefined) return known
    const language = (await seasonLanguage(services.db, seasonId)) ?? null
    languages.set(seasonId, language)
    return language
  }
  for (let after: string | null = null; ;) {
    const page = await listFilms(services.db, { ...selection, after, limit: FILMS_PER_PAGE })
    for (const film of page) {
      signal.throwIfAborted()
      await waitForPlayers(run)
      const analysis = await analyseOne(run, film, await languageOf(film))
      if (typeof analysis === 'string') return analysis
      if (analysis !== undefined) await storeFilm(run, film, analysis)
    }
    after = page.at(-1)?.itemId ?? null
    if (after === null) return undefined
  }
}

/**
 * Undefined if the film has been removed or is in no folder of the library; the next scan handles it. A text if the folder of the library is
 * unavailable or the disk is full: the film itself has not failed.
 */
async function analyseOne(
  run: JobRun,
  film: Film,
  language: string | null,
): Promise<FilmAnalysis | string | undefined> {
  const { services, roots, signal } = run
  const guarded = roots.find(({ path }) => film.path.startsWith(`${path}/`))
  if (guarded === undefined) return undefined
  const root = guarded.path
  if (!(await canOpen(root, film.path))) return (await isSameRoot(services, guarded)) ? undefined : ROOT_UNAVAILABLE
  const { itemId, path, sizeBytes, modifiedAtNanoseconds, durationSeconds } = film
  const file = { itemId, root, path, sizeBytes, modifiedAtNanoseconds, durationSeconds }
  try {
    const pictures = film.missing.includes('trickplay') ? ((await services.trickplay?.begin(file)) ?? null) : null
    const analysis = await analyseFilm(services, { film, root, language, pictures }, signal)
    if (await canOpen(root, film.path)) return analysis
    return (await isSameRoot(services, guarded)) ? undefined : ROOT_UNAVAILABLE
  } catch (error) {
    if (!isMissingItem(error)) throw error
    return undefined
  }
}

async function canOpen(root: string, path: string): Promise<boolean> {
  try {
    await (await openInsideRoot(root, path)).close()
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

async function storeFilm(run: JobRun, { path }: Film, analysis: FilmAnalysis): Promise<void> {
  const reasons = analysis.results.flatMap(({ result }) => (result.outcome === 'failed' ? [result.reason] : []))
  const failures = reasons.length === 0 ? [] : [{ path, code: FAILED_CODE, reason: [...new Set(reasons)].join('; ') }]
  await store(run, { path, failures, write: (connection, now) => writeFilmAnalysis(connection, analysis, now) })
}

type Step = {
  path: string | null
  failures: { path: string; code: string; reason: string }[]
  write: (connection: Connection, now: Date) => Promise<void>
}

/** Writes one result with the progress of the job, unless another worker has the job. */
async function store(run: JobRun, { path, failures, write }: Step): Promise<void> {
  const { job, services } = run
  const now = services.clock.now()
  const counters = { ...run.counters, updated: run.counters.updated + 1, failed: run.counters.failed + failures.length }
  const row = await services.db.transaction(async (connection: Connection) => {
    await lockClaimedJob(connection, job)
    await write(connection, now)
    await insertScanFailures(connection, { jobId: job.id, failures, now })
    return writeJobProgress(connection, run, { counters, currentPath: path })
  })
  Object.assign(run.counters, counters)
  run.onProgress(row)
}

/** Players have priority: no film is started while a player waits for an encoder. */
async function waitForPlayers({ services, signal }: JobRun): Promise<void> {
  while (services.isPlayerWaiting?.() === true) await pause(STREAMING_POLL_MILLISECONDS, undefined, { signal })
}
