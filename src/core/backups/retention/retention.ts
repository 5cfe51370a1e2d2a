/** How many backups are kept of each kind of period. Undefined: no rule. */
export type RetentionRules = {
  last?: number | undefined
  daily?: number | undefined
  weekly?: number | undefined
  monthly?: number | undefined
}

type Backup = { createdAt: Date; state: string }

const DAY_MILLISECONDS = 86_400_000

/**
 * The backups that the rules keep. `last` keeps the newest ones. For days, ISO weeks and months the newest backup of each of the newest
 * periods that have a backup is kept. Times are in UTC. The newest valid backup is always kept. Backups that are not valid are not counted
 * and never removed. Pure.
 */
export function findBackupsToKeep<T extends Backup>(backups: readonly T[], rules: RetentionRules): Set<T> {
  const newestFirst = backups.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  const valid = newestFirst.filter(({ state }) => state === 'valid')
  return new Set([
    ...newestFirst.filter(({ state }) => state !== 'valid'),
    ...valid.slice(0, Math.max(1, rules.last ?? 0)),
    ...newestOfPeriods(valid, rules.daily ?? 0, dayOf),
    ...newestOfPeriods(valid, rules.weekly ?? 0, weekOf),
    ...newestOfPeriods(valid, rules.monthly ?? 0, monthOf),
  ])
}

function newestOfPeriods<T extends Backup>(
  backups: readonly T[],
  limit: number,
  periodOf: (time: Date) => string,
): T[] {
  const periods = new Set<string>()
  return backups.filter(({ createdAt }) => {
    const period = periodOf(createdAt)
    if (periods.has(period) || periods.size >= limit) return false
    periods.add(period)
    return true
  })
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7)
}

/** The Monday of the ISO week (ISO 8601). */
function weekOf(time: Date): string {
  const daysSinceMonday = (time.getUTCDay() + 6) % 7
  return dayOf(new Date(time.getTime() - daysSinceMonday * DAY_MILLISECONDS))
}
