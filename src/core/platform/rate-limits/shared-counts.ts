import type { Connection } from '../database/index.ts'
import type { Clock } from '../time/index.ts'
import type { WindowCount } from './window-count.ts'
import { incrementHits, deleteWindow, deleteExpiredWindows, selectOpenWindow, subtractHits } from './queries.ts'

type Dependencies = { db: Connection; clock: Clock }

/** The surface, the key and the window. Each surface has one window length. */
type CounterKey = { surface: string; key: string; windowSeconds: number }

/**
 * Counts one hit in the database, for all processes that share it. A window starts with its first hit and ends at most one window length
 * from now, so that a clock that was set back blocks no caller for longer.
 * @throws AppError `database_unavailable`: a call that cannot be counted must be refused
 */
export async function countHit(
  { db, clock }: Dependencies,
  { windowSeconds, ...counterKey }: CounterKey,
): Promise<WindowCount> {
  const now = clock.now()
  const row = await incrementHits(db, { ...counterKey, now, latestEnd: endOf(now, windowSeconds) })
  // Each new row deletes some expired ones, so that the table holds little more than the open windows.
  if (row.hits === 1) await deleteExpiredWindows(db, now)
  return { hits: row.hits, millisecondsLeft: row.windowEndsAt.getTime() - now.getTime() }
}

/** Reads the hits of the open window without counting one. */
export async function readHits(
  { db, clock }: Dependencies,
  { windowSeconds, ...counterKey }: CounterKey,
): Promise<WindowCount> {
  const now = clock.now()
  const row = await selectOpenWindow(db, { ...counterKey, now, latestEnd: endOf(now, windowSeconds) })
  if (row === undefined) return { hits: 0, millisecondsLeft: 0 }
  return { hits: row.hits, millisecondsLeft: row.windowEndsAt.getTime() - now.getTime() }
}

/** Deletes the hits of a key. */
export async function clearHits(
  { db }: Pick<Dependencies, 'db'>,
  counterKey: Omit<CounterKey, 'windowSeconds'>,
): Promise<void> {
  await deleteWindow(db, counterKey)
}

/**
 * Deletes the hits of a key and returns them. Of several concurrent calls one gets the number, the others 0.
 * @returns the deleted number of hits
 */
export async function deleteHitsReturning(
  { db }: Pick<Dependencies, 'db'>,
  counterKey: Omit<CounterKey, 'windowSeconds'>,
): Promise<number> {
  return deleteWindow(db, counterKey)
}

/** Subtracts hits of a key, not below 0. */
export async function reduceHits(
  { db }: Pick<Dependencies, 'db'>,
  counterKey: Omit<CounterKey, 'windowSeconds'> & { hits: number },
): Promise<void> {
  if (counterKey.hits > 0) await subtractHits(db, counterKey)
}

function endOf(now: Date, windowSeconds: number): Date {
  return new Date(now.getTime() + windowSeconds * 1000)
}
