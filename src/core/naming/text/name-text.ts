import { mediaFileKind } from '../../platform/files/index.ts'

/** The longest name of any file system (255 bytes or UTF-16 units) is shorter. Untrusted names are cut, which bounds the parsing time. */
const MAX_CHARACTERS = 512

/** Typographic dashes; those within titles (`–`, `—`) stay unless they are between spaces. */
const ODD_DASHES = /[\u2010-\u2012\u2015\u2212]|(?<= )[\u2013\u2014](?= )/g

/** Normalizes a name for all parsers: cut, well formed, NFC, with ASCII dashes. */
export function normalizeName(name: string): string {
  return name.slice(0, MAX_CHARACTERS).toWellFormed().normalize('NFC').replaceAll(ODD_DASHES, '-')
}

/** Dots and underscores as spaces. Positions do not change, so that a match here can be cut from the name itself. */
export function separatorsToSpaces(name: string): string {
  return name.replaceAll(/[._]/g, ' ')
}

/** The segments of a path, without empty segments. */
export function pathSegments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** A name without the extension of a known kind of file: `Mr. Nobody` and `Show.S01E01` have none. */
export function withoutExtension(name: string): string {
  const dot = name.lastIndexOf('.')
  const isKnown =
    mediaFileKind(name) !== undefined || /\.(?:iso|img|nfo|strm|disc|idx|sub|opf|cue|torrent|nzb)$/i.test(name)
  return dot > 0 && isKnown ? name.slice(0, dot) : name
}

/** Whether a text contains a letter or a digit. Only titles of symbols (`???`) do not. */
export function hasLetterOrDigit(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** The first match of a global pattern, from the beginning of the text. */
export function firstMatch(text: string, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = 0
  return pattern.exec(text)
}

/** The end of the first word at or after a position; the position itself if there is none. */
export function firstWordEnd(text: string, from: number): number {
  const word = /[\p{L}\p{N}'’]+/u.exec(text.slice(from))
  return word === null ? from : from + word.index + word[0].length
}
