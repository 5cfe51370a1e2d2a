/** Maps a folder on another machine or in a container to the same folder on this machine. Neither path ends with a slash. */
export type PathMapping = { remote: string; local: string }

/**
 * Parses comma-separated `REMOTE=LOCAL` pairs of absolute folders. The remote folder may be a Windows path. Spaces around entries are
 * ignored; an empty text is an empty list.
 * @returns the pairs, longest remote folder first, and the entries that are no valid pair
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

/** Converts a path of another system to slashes as separators, without a trailing slash. `/` is unchanged. */
export function useForwardSlashes(path: string): string {
  const isWindows = /^(?:[a-z]:\\|\\\\)/i.test(path)
  const slashed = isWindows ? path.replaceAll('\\', '/') : path
  return slashed.length > 1 && slashed.endsWith('/') ? slashed.slice(0, -1) : slashed
}

function readMapping(entry: string): PathMapping | undefined {
  const [remote = '', local = '', ...more] = entry.split('=').map((side) => useForwardSlashes(side.trim()))
  const isAbsolute = /^(?:\/|[a-z]:\/)/i.test(remote) && local.startsWith('/')
  return isAbsolute && more.length === 0 ? { remote, local } : undefined
}

/** Describes the invalid entries of a list of path pairs, as half a sentence. Undefined for a valid list. */
export function pathMapProblem(text: string): string | undefined {
  const { wrong } = parsePathMap(text)
  if (wrong.length === 0) return undefined
  return `must be REMOTE=LOCAL pairs of absolute folders, separated by commas; these are none: ${wrong.join(', ')}`
}
