import { originProblem } from './origin.ts'

/**
 * The origins of a list that is separated by commas, as browsers send them (RFC 6454, 6.2): host names in lower case, without the usual
 * port. Spaces around them are ignored; an empty text holds none.
 */
export function parsePageOrigins(text: string): ReadonlySet<string> {
  return new Set(entriesOf(text).map((entry) => new URL(entry).origin))
}

/** What is wrong with such a list, as half a sentence; undefined when nothing is. */
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
