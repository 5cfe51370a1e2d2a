const MAX_LENGTH = 5000

/** The word for all libraries, also those of later. */
export const ALL_LIBRARIES = '*'

/**
 * Reads `GROUP=LIBRARY,LIBRARY;GROUP=*`: which libraries the members of a group see, by name or id. The last equals sign of a part counts, because
 * names of groups contain some. Undefined for a text of another form. Pure.
 */
export function parseLibraryGroups(text: string): ReadonlyMap<string, readonly string[]> | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const groups = new Map<string, readonly string[]>()
  for (const part of text.split(';')) {
    const end = part.lastIndexOf('=')
    const group = part.slice(0, Math.max(end, 0)).trim()
    const libraries = part
      .slice(end + 1)
      .split(',')
      .map((name) => name.trim())
    if (group === '' || libraries.includes('') || groups.has(group)) return undefined
    groups.set(group, libraries)
  }
  return groups
}

/** Describes what is wrong with such a text, as half a sentence. Undefined for a valid one. */
export function libraryGroupsProblem(text: string): string | undefined {
  if (parseLibraryGroups(text) !== undefined) return undefined
  return 'must be like kids=Cartoons,Music;family=* with each group once'
}
