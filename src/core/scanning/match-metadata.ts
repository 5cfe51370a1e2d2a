import {
  countItemsToMatch,
  hasProvider,
  listItemsToMatch,
  metadataErrors,
  resolveItem,
  visitOf,
  writeResolution,
  type MatchableItem,
  type MetadataProviders,
  type Resolution,
  type Visit,
} from '../metadata/index.ts'
import type { LibraryType } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { JobEnd, JobPhases, JobRun } from './job-run.ts'
import { mapInOrder } from './map-in-order.ts'
import { advance, lockOwnJob } from './progress.ts'
import { insertFailures } from './queries/failures.ts'
import { ROOT_UNAVAILABLE } from './root-guard.ts'

/** What a job says that has nobody to ask (decisions 3.5). */
const NO_PROVIDER = 'no metadata provider is configured'

/** In the others a video is a film between pictures, and nobody has a database of those. */
const MATCHED_LIBRARIES: ReadonlySet<LibraryType> = new Set(['movie', 'series', 'video'])

const ITEMS_PER_PAGE = 50

/** Providers take tenths of seconds to answer; the pace is theirs, not ours. */
const ITEMS_AT_A_TIME = 4

/** Asks about what has not been matched yet (document 1, job semantics 5). */
export const matchMetadata: JobPhases = (run) => matchLibrary(run, { isForced: false })

/** Asks about everything anew, unless what there is must not be overwritten (document 1, job semantics 6). */
export const refreshMetadata: JobPhases = (run) => matchLibrary(run, { isForced: true })

async function matchLibrary(run: JobRun, { isForced }: { isForced: boolean }): Promise<JobEnd> {
  const { library, services, roots } = run
  const { metadata: providers } = services
  if (!MATCHED_LIBRARIES.has(library.type)) return undefined
  if (providers === undefined || !hasProvider(providers)) return { remark: NO_PROVIDER }
  if (roots.some((root) => !root.isAvailable)) return ROOT_UNAVAILABLE
  const visit = await visitOf(providers, { isForced })
  await countItems(run, visit)
  const down = new AbortController()
  const resolved = mapInOrder(itemsOf(run, visit), {
    concurrency: ITEMS_AT_A_TIME,
    map: (item) => resolve(run, { providers, item, isForced, down }),
  })
  for await (const outcome of resolved) await write(run, outcome, isForced)
  return undefined
}

/** What is skipped counts as dealt with, and so does what an earlier worker of the job has done. */
async function countItems(run: JobRun, visit: Visit): Promise<void> {
  const { job, library, services, counters } = run
  const place = { libraryId: library.id }
  counters.found = await countItemsToMatch(services.db, { ...place, visit: 'all', after: null })
  counters.updated = counters.found - (await countItemsToMatch(services.db, { ...place, visit, after: job.cursor }))
  run.onProgress(await advance(services.db, run, { counters, currentPath: null }))
}

async function* itemsOf({ job, library, services, signal }: JobRun, visit: Visit): AsyncGenerator<MatchableItem> {
  let after = job.cursor
  for (;;) {
    signal.throwIfAborted()
    const page = await listItemsToMatch(services.db, { libraryId: library.id, visit, after, limit: ITEMS_PER_PAGE })
    yield* page
    after = page.at(-1)?.id ?? null
    if (after === null) return
  }
}

type Outcome = { item: MatchableItem; resolution: Resolution } | { item: MatchableItem; problem: AppError }

type Asking = { providers: MetadataProviders; item: MatchableItem; isForced: boolean; down: AbortController }

/** A reply that cannot be understood is the trouble of one item; a provider that does not answer ends the asking for all. */
async function resolve(
  { services, roots, job, signal }: JobRun,
  { providers, item, isForced, down }: Asking,
): Promise<Outcome> {
  // What another worker of this job has asked already need not be asked again.
  const asked = {
    signal: AbortSignal.any([signal, down.signal]),
    notBefore: isForced ? job.startedAt : undefined,
  }
  try {
    const resolution = await resolveItem({ db: services.db, providers }, { item, roots, isForced }, asked)
    return { item, resolution }
  } catch (error) {
    const isOwn = error instanceof AppError && error.code === metadataErrors.metadata_reply_invalid.definition.code
    if (!isOwn) {
      down.abort(error)
      throw error
    }
    return { item, problem: error }
  }
}

async function write(run: JobRun, outcome: Outcome, isForced: boolean): Promise<void> {
  const { job, services } = run
  const { item } = outcome
  const now = services.clock.now()
  const place = item.path ?? item.name
  const failures = failuresOf(outcome, place)
  const counters = { ...run.counters }
  counters.updated += 1
  counters.failed += failures.length
  const row = await services.db.transaction(async (connection: Connection) => {
    await lockOwnJob(connection, job)
    if ('resolution' in outcome) {
      await writeResolution(connection, { resolution: outcome.resolution, isReplacing: isForced, now })
    }
    await insertFailures(connection, { jobId: job.id, failures, now })
    return advance(connection, run, { counters, currentPath: place, cursor: item.id })
  })
  Object.assign(run.counters, counters)
  run.onProgress(row)
}

/** Why an item was left as it is; empty for one that was matched. */
function failuresOf(outcome: Outcome, path: string): { path: string; code: string; reason: string }[] {
  if ('problem' in outcome) return [{ path, code: outcome.problem.code, reason: outcome.problem.message }]
  if (outcome.resolution.isMatched) return []
  return [{ path, code: metadataErrors.no_match.definition.code, reason: 'no title fits it beyond doubt' }]
}
