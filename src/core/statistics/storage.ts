import { startPeriodicTask, type PeriodicTask } from '../platform/concurrency/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { transcodeCacheBytes } from './cache-bytes.ts'
import {
  deleteOldSnapshots,
  grantTime,
  hasOutdatedSnapshots,
  selectSnapshots,
  takeTurn,
  upsertSnapshots,
} from './queries/storage.ts'
import { addDays, dayOf } from './read-day.ts'

type Dependencies = { config: Pick<Config, 'dataDirectory'>; db: Database; clock: Clock }

/** What a library held when somebody looked. */
export type StorageSnapshot = {
  /** UUID. */
  id: string
  recordedAt: Date
  libraryId: string
  libraryName: string
  /** The type of the library. */
  mediaType: string
  itemCount: number
  /** Of its files that are there. */
  totalBytes: number
  /** Of the segments kept for streaming, of the whole server. */
  transcodeCacheBytes: number
}

/** Document 4, 5.3. */
const KEPT_DAYS = 90
const FRESH_MILLISECONDS = 600_000
/** Sizes of a million items are read from the rows. */
const LOOK_SECONDS = 60
const INTERVAL_MILLISECONDS = 3_600_000

/**
 * What the libraries hold, by their names. Looks again when the last look is older than ten minutes or a library has another number
 * of items since; of several who ask at once one looks, and the others are told what was known before.
 * @param input.days also what was known on the days before, the newest first; at most 90 days are kept
 */
export async function listStorage(
  services: Dependencies,
  { days }: { days?: number | undefined } = {},
): Promise<readonly StorageSnapshot[]> {
  const { db, clock } = services
  const now = clock.now()
  if (await hasOutdatedSnapshots(db, { before: new Date(now.getTime() - FRESH_MILLISECONDS) })) {
    await recordStorage(services)
  }
  const back = days === undefined ? 0 : Math.min(Math.max(Math.trunc(days), 0), KEPT_DAYS)
  return selectSnapshots(db, { since: back === 0 ? null : addDays(dayOf(now), -back) })
}

/** Notes what each library holds today, in the place of what was noted before, and forgets what is older than 90 days. */
export async function recordStorage({ config, db, clock }: Dependencies): Promise<void> {
  const cacheBytes = await transcodeCacheBytes(config)
  const now = clock.now()
  await db.transaction(async (connection: Connection) => {
    if (!(await takeTurn(connection))) return
    await grantTime(connection, LOOK_SECONDS)
    await upsertSnapshots(connection, { now, day: dayOf(now), cacheBytes })
    await deleteOldSnapshots(connection, { before: addDays(dayOf(now), -KEPT_DAYS) })
  })
}

/**
 * Notes every hour what the libraries hold, so that their growth can be shown.
 * @returns how to stop; resolves when nothing is under way any more
 */
export function watchStorage(services: Dependencies & { log: Logger }): PeriodicTask {
  return startPeriodicTask({
    intervalMilliseconds: INTERVAL_MILLISECONDS,
    work: () => recordStorage(services),
    onError: (error) => services.log.warning({ reason: describeError(error) }, 'noting what libraries hold failed'),
  })
}
