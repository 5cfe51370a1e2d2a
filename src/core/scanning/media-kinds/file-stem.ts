import { extname } from 'node:path'

/** A file's name without its extension. */
export function stemOf(name: string): string {
  return name.slice(0, name.length - extname(name).length)
}

/** The same for comparison: NFC and without capitals, as file systems that do not tell those apart keep names. */
export function foldStem(stem: string): string {
  return stem.normalize('NFC').toLowerCase()
}

/** Files of one folder by their folded stems. */
export function byStem(names: readonly string[]): Map<string, string> {
  return new Map(names.map((name) => [foldStem(stemOf(name)), name]))
}

/** The NFO files of a folder by their folded stems. */
export function nfoByStem(names: readonly string[]): Map<string, string> {
  return byStem(names.filter((name) => extname(name).toLowerCase() === '.nfo'))
}

/** The file whose folded stem is the longest beginning of `stem`, which goes on with a separator or ends there. */
export function longestStem(stem: string, files: ReadonlyMap<string, string>): string | undefined {
  for (let end = stem.length; end > 0; end -= 1) {
    if (end < stem.length && !' ._-'.includes(stem.charAt(end))) continue
    const file = files.get(stem.slice(0, end))
    if (file !== undefined) return file
  }
  return undefined
}

/** A path inside the library folder. */
export function pathIn(pathInsideRoot: string, name: string): string {
  return pathInsideRoot === '' ? name : `${pathInsideRoot}/${name}`
}
