import { startPeriodicTask, type PeriodicTask } from '../platform/concurrency/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { StorageSnapshot } from './storage-snapshot.ts'
import { transcodeCacheBytes } from './cache-bytes.ts'
import {
  deleteOldStorageSnapshots,
  setStatementTimeout,
  hasOutdatedStorageSnapshots,
  selectStorageSnapshots,
  tryLockStorageMeasurement,
  upsertStorageSnapshots,
} from './queries/storage.ts'
import { addDays, utcDay } from './calendar-day.ts'

type Dependencies = { config: Pick<Config, 'dataDirectory'>; db: Database; clock: Clock }

/** Retention of snapshots. */
const RETENTION_DAYS = 90
const MAX_AGE_MILLISECONDS = 600_000
/** Statement timeout: the sizes of a million items are read from the rows. */
const MEASURE_TIMEOUT_SECONDS = 60
const INTERVAL_MILLISECONDS = 3_600_000

/**
 * The sizes of the libraries, by library name. Measures again if the last snapshot is older than ten minutes or a library has another
 * number of items since. Of concurrent calls one measures, and the others return the existing snapshots.
 * @param input.days also snapshots of earlier days, the newest first; at most 90 days are stored
 */
export async function listStorageSnapshots(
  services: Dependencies,
  { days }: { days?: number | undefined } = {},
): Promise<readonly StorageSnapshot[]> {
  const { db, clock } = services
  const now = clock.now()
  if (await hasOutdatedStorageSnapshots(db, { before: new Date(now.getTime() - MAX_AGE_MILLISECONDS) })) {
    await recordStorageSnapshot(services)
  }
  const back = days === undefined ? 0 : Math.min(Math.max(Math.trunc(days), 0), RETENTION_DAYS)
  return selectStorageSnapshots(db, { since: back === 0 ? null : addDays(utcDay(now), -back) })
}

/** Stores the current size of each library, replaces an earlier snapshot of the same day, and deletes snapshots older than 90 days. */
export async function recordStorageSnapshot({ config, db, clock }: Dependencies): Promise<void> {
  const cacheBytes = await transcodeCacheBytes(config)
  const now = clock.now()
  await db.transaction(async (connection: Connection) => {
    if (!(await tryLockStorageMeasurement(connection))) return
    await setStatementTimeout(connection, MEASURE_TIMEOUT_SECONDS)
    await upsertStorageSnapshots(connection, { now, day: utcDay(now), cacheBytes })
    await deleteOldStorageSnapshots(connection, { before: addDays(utcDay(now), -RETENTION_DAYS) })
  })
}

/**
 * Measures the libraries every hour, so that their growth can be shown.
 * @returns a function that stops it and resolves when no work is running
 */
export function startStorageSnapshots(services: Dependencies & { log: Logger }): PeriodicTask {
  return startPeriodicTask({
    intervalMilliseconds: INTERVAL_MILLISECONDS,
    work: () => recordStorageSnapshot(services),
    onError: (error) => services.log.warning({ reason: describeError(error) }, 'measuring the libraries failed'),
  })
}
