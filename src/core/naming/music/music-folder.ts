import { parseDiscNumber } from './music-disc-folder.ts'
import { normalizeName, pathSegments } from '../text/name-text.ts'

/** Data from the folders of a music file, used if tags are missing. */
export type MusicFolderNames = {
  artist: string | null
  album: string | null
  year: number | null
  /** The disc number if the folder holds one of several discs. */
  disc: number | null
}

/** `2004 - Waves`, `(2004) Waves`, `[2004] Waves`. */
const LEADING_YEAR = /^(?:\((\d{4})\)|\[(\d{4})\]|(\d{4})(?= ?-)) ?(?:- ?)?(?=\S)/
/** `Waves (2004)`, `Waves [2004]`. */
const TRAILING_YEAR = /^(.*\S) ?(?:\((\d{4})\)|\[(\d{4})\])$/

/**
 * Artist and album from the folders of a music file: `Artist/Album`, `Artist/2004 - Album`, `Artist - Album`; a disc folder (`CD 2`)
 * belongs to the one above. A single folder without ` - ` is the album.
 * @param folder relative to the library folder; empty for the library folder itself
 */
export function parseMusicFolder(folder: string): MusicFolderNames {
  const folders = pathSegments(folder).map((name) => normalizeName(name).trim())
  const disc = folders.length > 1 ? parseDiscNumber(folders.at(-1) ?? '') : null
  if (disc !== null) folders.pop()
  const own = folders.at(-1) ?? ''
  const above = folders.at(-2) ?? null
  const { artist, rest } = takeArtist(own, above)
  const { year, title } = takeYear(rest)
  return { artist, album: title === '' ? null : title, year, disc }
}

/** `Artist - Album` in the folder of the same artist, or without a parent folder. A leading year is not an artist. */
function takeArtist(name: string, above: string | null): { artist: string | null; rest: string } {
  const [first = '', ...others] = name.split(' - ')
  const isNamed = others.length > 0 && !/^[([]?\d{4}[)\]]?$/.test(first.trim())
  const rest = others.join(' - ')
  if (above === null) return isNamed ? { artist: first.trim(), rest } : { artist: null, rest: name }
  return { artist: above, rest: isNamed && first.trim().toLowerCase() === above.toLowerCase() ? rest : name }
}

function takeYear(name: string): { year: number | null; title: string } {
  const leading = LEADING_YEAR.exec(name)
  if (leading !== null) return { year: yearIn(leading.slice(1)), title: name.slice(leading[0].length).trim() }
  const trailing = TRAILING_YEAR.exec(name)
  return trailing === null
    ? { year: null, title: name.trim() }
    : { year: yearIn(trailing.slice(2)), title: (trailing[1] ?? name).trim() }
}

function yearIn(digits: readonly (string | undefined)[]): number | null {
  const year = Number(digits.find((group) => group !== undefined))
  return year >= 1000 ? year : null
}
