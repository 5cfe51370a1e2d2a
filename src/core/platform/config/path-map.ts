/** Where a folder of another machine or container is found here; both without a slash at the end. */
export type PathMapping = { remote: string; local: string }

/**
 * Reads `REMOTE=LOCAL` pairs, separated by commas: absolute folders, the remote one also as Windows writes it. Spaces around them are
 * ignored; an empty text holds none.
 * @returns the pairs, longest remote folder first, and every entry that is none
 */
export function parsePathMap(text: string): { mappings: PathMapping[]; wrong: string[] } {
  const entries = text.split(',').map((entry) => entry.trim())
  const named = entries.filter((entry) => entry !== '')
  const mappings = named.map(readMapping).filter((mapping) => mapping !== undefined)
  return {
    mappings: mappings.toSorted((one, other) => other.remote.length - one.remote.length),
    wrong: named.filter((entry) => readMapping(entry) === undefined),
  }
}

/** A path of another system with slashes as separators and none at the end; `/` stays. */
export function withSlashes(path: string): string {
  const isWindows = /^(?:[a-z]:\\|\\\\)/i.test(path)
  const slashed = isWindows ? path.replaceAll('\\', '/') : path
  return slashed.length > 1 && slashed.endsWith('/') ? slashed.slice(0, -1) : slashed
}

function readMapping(entry: string): PathMapping | undefined {
  const [remote = '', local = '', ...more] = entry.split('=').map((side) => withSlashes(side.trim()))
  const isAbsolute = /^(?:\/|[a-z]:\/)/i.test(remote) && local.startsWith('/')
  return isAbsolute && more.length === 0 ? { remote, local } : undefined
}

/** What is wrong with such a list, as half a sentence; undefined when nothing is. */
export function pathMapProblem(text: string): string | undefined {
  const { wrong } = parsePathMap(text)
  if (wrong.length === 0) return undefined
  return `must be REMOTE=LOCAL pairs of absolute folders, separated by commas; these are none: ${wrong.join(', ')}`
}
