/** The path of a relayed request: its segments, decoded once, and its query with the question mark, or an empty text. */
export type RelayPath = { segments: readonly string[]; query: string }

const MAX_TARGET_LENGTH = 8192

/** A segment that is still encoded after this number of rounds is refused. */
const MAX_DECODING_ROUNDS = 3

/** Characters of a request target (RFC 9112, 3.2), without the fragment sign and the backslash. */
const TARGET = /^\/[!"$-[\]-~]*$/

/**
 * Reads a request target that begins with a slash. Every decoding of every segment is checked, so that no later reader finds another path in
 * it: no empty, `.` or `..` segments (also before a `;`), no slash or backslash in a segment, and no control characters.
 * @returns undefined for a target that must not be forwarded
 */
export function parseRelayPath(target: string): RelayPath | undefined {
  if (target.length > MAX_TARGET_LENGTH || !TARGET.test(target)) return undefined
  const mark = target.indexOf('?')
  const [path, query] = mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark)]
  const segments: string[] = []
  for (const raw of path.slice(1).split('/')) {
    const segment = readSegment(raw)
    if (segment === undefined) return undefined
    segments.push(segment)
  }
  return { segments, query }
}

/** The request target of a path: what was checked is what is sent. */
export function formatRelayPath({ segments, query }: RelayPath): string {
  return `/${segments.map(encodeURIComponent).join('/')}${query}`
}

/** Decodes a segment once; undefined if one of its decodings is not plain, or if it has too many. */
function readSegment(raw: string): string | undefined {
  if (!isPlain(raw)) return undefined
  const once = decode(raw)
  if (once === undefined || !isPlain(once)) return undefined
  let text = once
  for (let round = 1; round < MAX_DECODING_ROUNDS; round += 1) {
    const next = decode(text)
    // A name may contain a percent sign.
    if (next === undefined || next === text) return once
    if (!isPlain(next)) return undefined
    text = next
  }
  const last = decode(text)
  return last === undefined || last === text ? once : undefined
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Control characters, and the characters that divide paths. */
const DIVIDING = /[\p{Cc}/\\]/u

function isPlain(text: string): boolean {
  const [name = ''] = text.split(';', 1)
  return text !== '' && name !== '.' && name !== '..' && !DIVIDING.test(text)
}
