/** Names of JSON values with a path of a file, and of those that identify a person. In the log they are inside JSON text. */
const PRIVATE_VALUES =
  /((?:\\)?"(?:path|file|folder|root|currentPath|current_path|ip|clientAddress|user|username|email|name)(?:\\)?":(?:\\)?")(?:[^"\\]|\\(?!")[^]){1,4096}/g

/** Replaces the folders of libraries with everything below them, and the values of fields that hold paths, names or addresses. */
export function redactPaths(text: string, folders: readonly string[]): string {
  // The longest first: a folder may begin like another one.
  const ordered = folders.toSorted((a, b) => b.length - a.length)
  const withoutFolders = ordered.reduce((rest, folder) => rest.replaceAll(belowFolder(folder), '<media>'), text)
  return withoutFolders.replaceAll(PRIVATE_VALUES, '$1<removed>')
}

/** A path at or below a folder, up to the quote that ends it. Paths in a sentence end with it too. */
function belowFolder(folder: string): RegExp {
  return new RegExp(`${escaped(JSON.stringify(folder).slice(1, -1))}(?:/[^"\\n\\\\]{0,4096})?`, 'g')
}

/** The text as a part of a regular expression that matches only it. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
