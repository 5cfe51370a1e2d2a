import { metadataErrors, type RecentMisses, type MatchScope } from '../../metadata/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { JobRun } from '../job/job-run.ts'
import { orderedMap } from '../../platform/concurrency/index.ts'
import { writeJobProgress, lockClaimedJob } from '../claim/job-progress.ts'
import { insertScanFailures } from '../queries/failures.ts'

type Place = { libraryId: string; visit: MatchScope; after: string | null; misses: RecentMisses | undefined }

/** How one kind of entity is matched: films and series, or albums. */
export type EntityMatching<Entity extends { id: string }, Resolution> = {
  count(connection: Connection, place: Place): Promise<number>
  /** Ordered by id. */
  list(connection: Connection, page: Place & { limit: number }): Promise<Entity[]>
  /** Asks the providers; writes nothing. */
  resolve(entity: Entity, asked: { signal: AbortSignal; notBefore: Date | undefined }): Promise<Resolution>
  isMatched(resolution: Resolution): boolean
  /** Runs within a transaction. */
  write(connection: Connection, found: { entity: Entity; resolution: Resolution; now: Date }): Promise<void>
  /** The path or name to show as the current position of the job. */
  placeOf(entity: Entity): string
  /** The reason recorded for an unmatched entity. */
  unmatchedReason: string
}

/** `isForced`: replies from before this job are requested again. `misses`: entities to skip because of a recent miss. */
export type MatchOptions = { visit: MatchScope; isForced: boolean; misses: RecentMisses | undefined }

const ENTITIES_PER_PAGE = 50

/** Providers take tenths of a second to answer; they limit the pace. */
const CONCURRENT_ENTITIES = 4

/**
 * Matches the entities of a library with the providers in order and writes the results, together with the cursor at which another worker
 * can resume.
 */
export async function matchLibrary<Entity extends { id: string }, Resolution>(
  run: JobRun,
  matching: EntityMatching<Entity, Resolution>,
  matchOptions: MatchOptions,
): Promise<void> {
  await countEntitiesToMatch(run, matching, matchOptions)
  const providerFailure = new AbortController()
  const resolved = orderedMap(entitiesOf(run, matching, matchOptions), {
    concurrency: CONCURRENT_ENTITIES,
    map: (entity) => resolve(run, matching, { entity, isForced: matchOptions.isForced, providerFailure }),
  })
  for await (const outcome of resolved) await write(run, matching, outcome)
}

type Counted = Pick<EntityMatching<{ id: string }, unknown>, 'count'>

/** Skipped entities count as done, and so do entities that an earlier worker of the job has processed. */
async function countEntitiesToMatch(run: JobRun, { count }: Counted, { visit, misses }: MatchOptions): Promise<void> {
  const { job, library, services, counters } = run
  const place = { libraryId: library.id }
  counters.found = await count(services.db, { ...place, visit: 'all', after: null, misses: undefined })
  counters.updated = counters.found - (await count(services.db, { ...place, visit, misses, after: job.cursor }))
  run.onProgress(await writeJobProgress(services.db, run, { counters, currentPath: null }))
}

async function* entitiesOf<Entity extends { id: string }>(
  { job, library, services, signal }: JobRun,
  { list }: Pick<EntityMatching<Entity, unknown>, 'list'>,
  { visit, misses }: MatchOptions,
): AsyncGenerator<Entity> {
  let after = job.cursor
  for (;;) {
    signal.throwIfAborted()
    const page = await list(services.db, { libraryId: library.id, visit, misses, after, limit: ENTITIES_PER_PAGE })
    yield* page
    after = page.at(-1)?.id ?? null
    if (after === null) return
  }
}

type Outcome<Entity, Resolution> = { entity: Entity; resolution: Resolution } | { entity: Entity; problem: AppError }

/** Errors that fail only the requested entity. */
const OWN_CODES: ReadonlySet<string> = new Set([
  metadataErrors.metadata_reply_invalid.definition.code,
  metadataErrors.source_failed.definition.code,
])

/** Resolves one entity. An invalid reply or a failing plugin fails only this entity; a provider that does not respond ends the whole job. */
async function resolve<Entity extends { id: string }, Resolution>(
  { job, signal }: JobRun,
  matching: EntityMatching<Entity, Resolution>,
  { entity, isForced, providerFailure }: { entity: Entity; isForced: boolean; providerFailure: AbortController },
): Promise<Outcome<Entity, Resolution>> {
  // Answers that another worker of this job has already fetched are reused.
  const asked = {
    signal: AbortSignal.any([signal, providerFailure.signal]),
    notBefore: isForced ? job.startedAt : undefined,
  }
  try {
    return { entity, resolution: await matching.resolve(entity, asked) }
  } catch (error) {
    const isOwn = error instanceof AppError && OWN_CODES.has(error.code)
    if (!isOwn) {
      providerFailure.abort(error)
      throw error
    }
    return { entity, problem: error }
  }
}

async function write<Entity extends { id: string }, Resolution>(
  run: JobRun,
  matching: EntityMatching<Entity, Resolution>,
  outcome: Outcome<Entity, Resolution>,
): Promise<void> {
  const { job, services } = run
  const { entity } = outcome
  const now = services.clock.now()
  const path = matching.placeOf(entity)
  const failures = failuresOf(matching, outcome)
  const counters = { ...run.counters }
  counters.updated += 1
  counters.failed += failures.length
  const row = await services.db.transaction(async (connection: Connection) => {
    await lockClaimedJob(connection, job)
    if ('resolution' in outcome) await matching.write(connection, { ...outcome, now })
    await insertScanFailures(connection, { jobId: job.id, failures, now })
    return writeJobProgress(connection, run, { counters, currentPath: path, cursor: entity.id })
  })
  Object.assign(run.counters, counters)
  run.onProgress(row)
}

/** Returns the reason why an entity was not matched; empty if it was matched. */
function failuresOf<Entity extends { id: string }, Resolution>(
  matching: EntityMatching<Entity, Resolution>,
  outcome: Outcome<Entity, Resolution>,
): { path: string; code: string; reason: string }[] {
  const path = matching.placeOf(outcome.entity)
  if ('problem' in outcome) return [{ path, code: outcome.problem.code, reason: outcome.problem.message }]
  if (matching.isMatched(outcome.resolution)) return []
  return [{ path, code: metadataErrors.no_match.definition.code, reason: matching.unmatchedReason }]
}
