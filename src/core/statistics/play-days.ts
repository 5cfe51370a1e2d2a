import { findItems } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { PlayDay, TopUser, TopItem } from './play-counts.ts'
import { statisticsErrors } from './errors.ts'
import { repairPlayDays, selectPlayDays, selectTopItems, selectTopUsers } from './queries/plays.ts'
import { addDays, utcDay, parseUtcDay } from './calendar-day.ts'

type Dependencies = { db: Connection; clock: Clock }

const DEFAULT_FROM = '-30 days'
/** Ten years. */
const MAX_DAYS = 3660

/**
 * The plays of each day of a period, including days without any; at most its last 3,660 days. A play belongs to the day in UTC on which
 * it was counted.
 * @param input.from, input.to dates or relative times such as `-30 days`, both inclusive; default: the last 30 days until today
 * @throws AppError `invalid_request`
 */
export async function listPlayDays(
  { db, clock }: Dependencies,
  { from = DEFAULT_FROM, to = 'today' }: { from?: string | undefined; to?: string | undefined },
): Promise<PlayDay[]> {
  const now = clock.now()
  const [first, last] = [parseUtcDay(from, { field: 'from', now }), parseUtcDay(to, { field: 'to', now })]
  if (first > last) {
    throw statisticsErrors.invalid_request({ message: 'from must not come after to', details: { field: 'from' } })
  }
  const earliest = addDays(last, 1 - MAX_DAYS)
  return selectPlayDays(db, { from: first < earliest ? earliest : first, to: last })
}

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 100

/** Number of rows and start of the period; `limit` is clamped to 1…100, without `since` everything counts. */
export type TopInput = { limit?: number | undefined; since?: string | undefined }

/**
 * The accounts with the longest watch time, the longest first.
 * @throws AppError `invalid_request`
 */
export async function listTopUsers({ db, clock }: Dependencies, input: TopInput): Promise<TopUser[]> {
  return selectTopUsers(db, readTop(clock, input))
}

/**
 * The items with the most plays, the most first.
 * @throws AppError `invalid_request`
 */
export async function listTopItems({ db, clock }: Dependencies, input: TopInput): Promise<TopItem[]> {
  const rows = await selectTopItems(db, readTop(clock, input))
  const items = await findItems(
    { db },
    rows.map(({ itemId }) => itemId),
  )
  const itemOf = new Map(items.map((item) => [item.id, item]))
  return rows.flatMap(({ itemId, ...counts }) => {
    const item = itemOf.get(itemId)
    return item === undefined ? [] : [{ item, ...counts }]
  })
}

/** Converts a number of days, 1 to 3,660, to a `since` value. Dashboards use it. */
export function sinceDaysAgo(clock: Clock, days: number): string {
  const back = Math.min(Math.max(Math.trunc(days), 1), MAX_DAYS)
  return addDays(utcDay(clock.now()), -back)
}

function readTop(clock: Clock, { limit = DEFAULT_LIMIT, since }: TopInput): { limit: number; since: string | null } {
  return {
    limit: Math.min(Math.max(Math.trunc(limit), 1), MAX_LIMIT),
    since: since === undefined ? null : parseUtcDay(since, { field: 'since', now: clock.now() }),
  }
}

/**
 * Rebuilds the daily statistics from the plays. They are maintained exactly; the rebuild is for a database that was changed by hand.
 * @returns the number of rows that were wrong
 */
export async function rebuildPlayDays({ db }: { db: Connection }): Promise<number> {
  return repairPlayDays(db)
}
