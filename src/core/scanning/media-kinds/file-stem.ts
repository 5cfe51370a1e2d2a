import { extname } from 'node:path'

/** Returns a file's name without its extension. */
export function fileStem(name: string): string {
  return name.slice(0, name.length - extname(name).length)
}

/** Normalises a stem for comparison (NFC, lower case), because some file systems are case-insensitive. */
export function normalizeStem(stem: string): string {
  return stem.normalize('NFC').toLowerCase()
}

/** Maps folded stems to the files of one folder. */
export function groupFilesByStem(names: readonly string[]): Map<string, string> {
  return new Map(names.map((name) => [normalizeStem(fileStem(name)), name]))
}

/** Maps folded stems to the NFO files of a folder. */
export function nfoFilesByStem(names: readonly string[]): Map<string, string> {
  return groupFilesByStem(names.filter((name) => extname(name).toLowerCase() === '.nfo'))
}

/** Returns the file with the longest folded stem that is a prefix of `stem`, ending at a separator or at the end. */
export function findLongestStemPrefix(stem: string, files: ReadonlyMap<string, string>): string | undefined {
  for (let end = stem.length; end > 0; end -= 1) {
    if (end < stem.length && !' ._-'.includes(stem.charAt(end))) continue
    const file = files.get(stem.slice(0, end))
    if (file !== undefined) return file
  }
  return undefined
}

/** Returns a path inside the library folder. */
export function pathInLibraryRoot(pathInsideRoot: string, name: string): string {
  return pathInsideRoot === '' ? name : `${pathInsideRoot}/${name}`
}
