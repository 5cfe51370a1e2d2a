import type { Connection } from '../database/index.ts'
import type { Clock } from '../time/index.ts'
import type { Count } from './count.ts'
import { addHit, deleteCount, deleteEnded, findCount, subtractHits } from './queries.ts'

type Dependencies = { db: Connection; clock: Clock }

/** Who is counted, for what, over how long; one surface always has one window. */
type Counted = { surface: string; key: string; windowSeconds: number }

/**
 * Counts one hit in the database, for all processes that share it. A window opens with its first hit and never ends later than one
 * window from now, so that a clock that was set back locks nobody for longer (RL-09).
 * @throws AppError `database_unavailable`: what cannot be counted must not be let through (RL-08)
 */
export async function countHit({ db, clock }: Dependencies, { windowSeconds, ...counted }: Counted): Promise<Count> {
  const now = clock.now()
  const row = await addHit(db, { ...counted, now, latestEnd: endOf(now, windowSeconds) })
  // Each new row removes some old ones: the table holds no more than the windows that are open, and a few.
  if (row.hits === 1) await deleteEnded(db, now)
  return { hits: row.hits, millisecondsLeft: row.windowEndsAt.getTime() - now.getTime() }
}

/** The hits in the window that is open, without counting one. */
export async function readHits({ db, clock }: Dependencies, { windowSeconds, ...counted }: Counted): Promise<Count> {
  const now = clock.now()
  const row = await findCount(db, { ...counted, now, latestEnd: endOf(now, windowSeconds) })
  if (row === undefined) return { hits: 0, millisecondsLeft: 0 }
  return { hits: row.hits, millisecondsLeft: row.windowEndsAt.getTime() - now.getTime() }
}

/** Forgets a caller's hits. */
export async function clearHits(
  { db }: Pick<Dependencies, 'db'>,
  counted: Omit<Counted, 'windowSeconds'>,
): Promise<void> {
  await deleteCount(db, counted)
}

/** The same; of several at the same time one is told of the hits, the others of none. @returns how many there were */
export async function takeHits(
  { db }: Pick<Dependencies, 'db'>,
  counted: Omit<Counted, 'windowSeconds'>,
): Promise<number> {
  return deleteCount(db, counted)
}

/** Forgets some of a caller's hits; at most all. */
export async function reduceHits(
  { db }: Pick<Dependencies, 'db'>,
  counted: Omit<Counted, 'windowSeconds'> & { hits: number },
): Promise<void> {
  if (counted.hits > 0) await subtractHits(db, counted)
}

function endOf(now: Date, windowSeconds: number): Date {
  return new Date(now.getTime() + windowSeconds * 1000)
}
