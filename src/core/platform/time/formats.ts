/** `YYYY-MM-DD HH:MM:SS` in UTC, the form of scan job and collection times (document 1, Scan job). */
export function toSqlTimestamp(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ')
}

/** ISO 8601 in UTC with milliseconds, the form of all other JSON times (decisions 3.3). */
export function toIsoTimestamp(time: Date): string {
  return time.toISOString()
}

/** The same of a time that may not have come yet. */
export function isoTimestampOrNull(time: Date | null): string | null {
  return time === null ? null : toIsoTimestamp(time)
}
