import { originProblem } from './origin.ts'

/**
 * Parses a comma-separated list of origins as browsers send them (RFC 6454, 6.2): host name in lower case, default port omitted. Spaces
 * around entries are ignored; an empty text is an empty list.
 */
export function parsePageOrigins(text: string): ReadonlySet<string> {
  return new Set(entriesOf(text).map((entry) => new URL(entry).origin))
}

/** Describes the invalid entries of a list of origins, as half a sentence. Undefined for a valid list. */
export function pageOriginsProblem(text: string): string | undefined {
  const wrong = entriesOf(text).filter((entry) => originProblem(entry) !== undefined)
  if (wrong.length === 0) return undefined
  return `must be http or https addresses without a path, separated by commas; these are not: ${wrong.join(', ')}`
}

function entriesOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
