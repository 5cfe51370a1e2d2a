const MAX_WAIT_SECONDS = 300

/**
 * The time that a `Retry-After` header requests (RFC 9110, 10.2.3: seconds or a date), in milliseconds; undefined without a valid header.
 * More than five minutes counts as invalid, because a job cannot wait so long.
 * @param now for headers with a date
 */
export function retryAfterMilliseconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\s*(\d{1,9})\s*$/.exec(header)?.[1]
  // The engine would parse `-1` as a date.
  if (seconds === undefined && !/^\s*[A-Za-z]{3}/.test(header)) return undefined
  const requestedSeconds = seconds === undefined ? (Date.parse(header) - now.getTime()) / 1000 : Number(seconds)
  if (Number.isNaN(requestedSeconds) || requestedSeconds > MAX_WAIT_SECONDS) return undefined
  return Math.max(0, requestedSeconds) * 1000
}
