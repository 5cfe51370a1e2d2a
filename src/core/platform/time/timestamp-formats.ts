/** `YYYY-MM-DD HH:MM:SS` in UTC, the format of times of scan jobs and collections. */
export function toSqlTimestamp(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ')
}

/** ISO 8601 in UTC with milliseconds, the format of all other times in JSON. */
export function toIsoTimestamp(time: Date): string {
  return time.toISOString()
}

/** Like `toIsoTimestamp`; null for null. */
export function isoTimestampOrNull(time: Date | null): string | null {
  return time === null ? null : toIsoTimestamp(time)
}

/** `17:05` for 1025 minutes after midnight. */
export function clockTime(minute: number): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
