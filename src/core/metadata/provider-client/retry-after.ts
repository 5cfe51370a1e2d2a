const MAX_SECONDS = 300

/**
 * How long a `Retry-After` header asks to wait (RFC 9110, 10.2.3: seconds or a date), in milliseconds; undefined without a readable one.
 * More than five minutes is answered as it is not: nobody waits so long with a job under way.
 * @param now for headers that name a date
 */
export function retryAfterMilliseconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\s*(\d{1,9})\s*$/.exec(header)?.[1]
  // Of `-1` the engine would make a date of the year 1 before our era or so.
  if (seconds === undefined && !/^\s*[A-Za-z]{3}/.test(header)) return undefined
  const asked = seconds === undefined ? (Date.parse(header) - now.getTime()) / 1000 : Number(seconds)
  if (Number.isNaN(asked) || asked > MAX_SECONDS) return undefined
  return Math.max(0, asked) * 1000
}
