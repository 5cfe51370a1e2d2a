import { filterForwardedFields, type HeaderFields, type ReceivedField } from './header-fields.ts'

/**
 * What a home server may tell a viewer. Headers that change the state of the hub's origin in a browser (cookies, redirects, cross-origin
 * rules, security policies) are not among it.
 */
const PASSING: ReadonlySet<string> = new Set(
  (
    'accept-ranges age cache-control content-disposition content-encoding content-language content-length content-range content-type ' +
    'date etag expires last-modified retry-after vary'
  ).split(' '),
)

const LENGTH = /^\d{1,15}$/
const RANGE = /^bytes (?:\d{1,15}-\d{1,15}|\*)\/(?:\d{1,15}|\*)$/

/** The head of a reply that passes. */
export type ReplyHead = { status: number; fields: HeaderFields }

/**
 * Checks the head of a reply of a home server. Both sides do.
 * @returns undefined if it must not reach the viewer
 */
export function checkReplyHead(status: number, received: readonly ReceivedField[]): ReplyHead | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined
  const fields = filterForwardedFields(received, PASSING)
  if (fields === undefined) return undefined
  const { 'content-length': length, 'content-range': range } = fields
  if (length !== undefined && !LENGTH.test(length)) return undefined
  if (range !== undefined && !RANGE.test(range)) return undefined
  return { status, fields }
}
