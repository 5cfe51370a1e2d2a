import { metadataErrors, type RecentMisses, type Visit } from '../metadata/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { JobRun } from './job-run.ts'
import { orderedMap } from '../platform/concurrency/index.ts'
import { advance, lockOwnJob } from './progress.ts'
import { insertFailures } from './queries/failures.ts'

type Place = { libraryId: string; visit: Visit; after: string | null; misses: RecentMisses | undefined }

/** How one sort of things is matched: films and series, or albums. */
export type Matching<Thing extends { id: string }, Resolution> = {
  count(connection: Connection, place: Place): Promise<number>
  /** By id. */
  list(connection: Connection, page: Place & { limit: number }): Promise<Thing[]>
  /** Asks; writes nothing. */
  resolve(thing: Thing, asked: { signal: AbortSignal; notBefore: Date | undefined }): Promise<Resolution>
  isMatched(resolution: Resolution): boolean
  /** Within a transaction. */
  write(connection: Connection, found: { thing: Thing; resolution: Resolution; now: Date }): Promise<void>
  /** What people see of a thing while the job is at it. */
  placeOf(thing: Thing): string
  /** Why a thing was left as it is. */
  unmatchedReason: string
}

/** `isForced`: what was asked before this job is asked anew. `misses`: what is left alone, for it was asked about in vain lately. */
export type Visiting = { visit: Visit; isForced: boolean; misses: RecentMisses | undefined }

const THINGS_PER_PAGE = 50

/** Providers take tenths of seconds to answer; the pace is theirs, not ours. */
const THINGS_AT_A_TIME = 4

/** Asks about the things of a library one after the other and writes what comes back, with the place where another worker goes on. */
export async function matchLibrary<Thing extends { id: string }, Resolution>(
  run: JobRun,
  matching: Matching<Thing, Resolution>,
  visiting: Visiting,
): Promise<void> {
  await countThings(run, matching, visiting)
  const down = new AbortController()
  const resolved = orderedMap(thingsOf(run, matching, visiting), {
    concurrency: THINGS_AT_A_TIME,
    map: (thing) => resolve(run, matching, { thing, isForced: visiting.isForced, down }),
  })
  for await (const outcome of resolved) await write(run, matching, outcome)
}

type Counted = Pick<Matching<{ id: string }, unknown>, 'count'>

/** What is skipped counts as dealt with, and so does what an earlier worker of the job has done. */
async function countThings(run: JobRun, { count }: Counted, { visit, misses }: Visiting): Promise<void> {
  const { job, library, services, counters } = run
  const place = { libraryId: library.id }
  counters.found = await count(services.db, { ...place, visit: 'all', after: null, misses: undefined })
  counters.updated = counters.found - (await count(services.db, { ...place, visit, misses, after: job.cursor }))
  run.onProgress(await advance(services.db, run, { counters, currentPath: null }))
}

async function* thingsOf<Thing extends { id: string }>(
  { job, library, services, signal }: JobRun,
  { list }: Pick<Matching<Thing, unknown>, 'list'>,
  { visit, misses }: Visiting,
): AsyncGenerator<Thing> {
  let after = job.cursor
  for (;;) {
    signal.throwIfAborted()
    const page = await list(services.db, { libraryId: library.id, visit, misses, after, limit: THINGS_PER_PAGE })
    yield* page
    after = page.at(-1)?.id ?? null
    if (after === null) return
  }
}

type Outcome<Thing, Resolution> = { thing: Thing; resolution: Resolution } | { thing: Thing; problem: AppError }

/** A reply that cannot be understood is the trouble of one thing; a provider that does not answer ends the asking for all. */
async function resolve<Thing extends { id: string }, Resolution>(
  { job, signal }: JobRun,
  matching: Matching<Thing, Resolution>,
  { thing, isForced, down }: { thing: Thing; isForced: boolean; down: AbortController },
): Promise<Outcome<Thing, Resolution>> {
  // What another worker of this job has asked already need not be asked again.
  const asked = {
    signal: AbortSignal.any([signal, down.signal]),
    notBefore: isForced ? job.startedAt : undefined,
  }
  try {
    return { thing, resolution: await matching.resolve(thing, asked) }
  } catch (error) {
    const isOwn = error instanceof AppError && error.code === metadataErrors.metadata_reply_invalid.definition.code
    if (!isOwn) {
      down.abort(error)
      throw error
    }
    return { thing, problem: error }
  }
}

async function write<Thing extends { id: string }, Resolution>(
  run: JobRun,
  matching: Matching<Thing, Resolution>,
  outcome: Outcome<Thing, Resolution>,
): Promise<void> {
  const { job, services } = run
  const { thing } = outcome
  const now = services.clock.now()
  const path = matching.placeOf(thing)
  const failures = failuresOf(matching, outcome)
  const counters = { ...run.counters }
  counters.updated += 1
  counters.failed += failures.length
  const row = await services.db.transaction(async (connection: Connection) => {
    await lockOwnJob(connection, job)
    if ('resolution' in outcome) await matching.write(connection, { ...outcome, now })
    await insertFailures(connection, { jobId: job.id, failures, now })
    return advance(connection, run, { counters, currentPath: path, cursor: thing.id })
  })
  Object.assign(run.counters, counters)
  run.onProgress(row)
}

/** Why a thing was left as it is; empty for one that was matched. */
function failuresOf<Thing extends { id: string }, Resolution>(
  matching: Matching<Thing, Resolution>,
  outcome: Outcome<Thing, Resolution>,
): { path: string; code: string; reason: string }[] {
  const path = matching.placeOf(outcome.thing)
  if ('problem' in outcome) return [{ path, code: outcome.problem.code, reason: outcome.problem.message }]
  if (matching.isMatched(outcome.resolution)) return []
  return [{ path, code: metadataErrors.no_match.definition.code, reason: matching.unmatchedReason }]
}
