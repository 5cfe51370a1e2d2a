/** Header fields in lower case, each once. */
export type HeaderFields = Readonly<Record<string, string>>

/** Name and value of one field as received. */
export type ReceivedField = readonly [name: string, value: string]

/** `token` of RFC 9110, 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/

/** Visible ASCII, spaces and tabs (RFC 9110, 5.5), without the obsolete bytes above ASCII. */
const VALUE = /^[\t -~]{0,8192}$/

const MAX_FIELDS = 100

/** Headers of one connection (RFC 9110, 7.6.1; RFC 9113, 8.2.2). */
const HOP_BY_HOP: ReadonlySet<string> = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)

/** Values of these may be repeated; they are a list (RFC 9110, 5.3). */
const LISTS: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'accept-language', 'cache-control', 'vary'])

/**
 * The fields of a message that pass: those of a set, without headers of the connection and those that `Connection` names.
 * @returns undefined if a field is malformed, if there are too many, or if one that is no list occurs twice: such a message is not forwarded
 */
export function filterForwardedFields(
  received: readonly ReceivedField[],
  allowed: ReadonlySet<string>,
): Record<string, string> | undefined {
  if (received.length > MAX_FIELDS) return undefined
  const fields = received.map(([name, value]) => [name.toLowerCase(), value] as const)
  if (!fields.every(([name, value]) => NAME.test(name) && VALUE.test(value))) return undefined
  const named = namedByConnection(fields)
  const selected = new Map<string, string>()
  for (const [name, value] of fields) {
    if (!allowed.has(name) || HOP_BY_HOP.has(name) || named.has(name)) continue
    const before = selected.get(name)
    if (before !== undefined && !LISTS.has(name)) return undefined
    selected.set(name, before === undefined ? value.trim() : `${before}, ${value.trim()}`)
  }
  return Object.fromEntries(selected)
}

function namedByConnection(fields: readonly ReceivedField[]): ReadonlySet<string> {
  const values = fields.filter(([name]) => name === 'connection').map(([, value]) => value.toLowerCase())
  return new Set(values.flatMap((value) => value.split(',')).map((name) => name.trim()))
}
