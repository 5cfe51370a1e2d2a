import { normalizeName, withoutExtension } from '../text/name-text.ts'

/** Data from the name of a music file, used if tags are missing. */
export type TrackName = {
  /** Never empty. */
  title: string
  artist: string | null
  track: number | null
  disc: number | null
}

/** `1-05 Title`, `2.03 - Title`: disc and track. */
const DISC_TRACK = /^(?:cd|disc|disk)? ?(\d)[-.](\d{2})(?!\d)[ ._-]+(?=\S)/i
/** `05 - Title`, `05. Title`, `05 Title`, `[05] Title`. */
const TRACK = /^[[(]?(\d{2,3})[\])]?(?:[ ._-]+)(?=\S)/
/** `5. Title`, `5 - Title`; a single digit without punctuation belongs to the title (7 Seconds). */
const SINGLE = /^(\d)(?:\. ?| ?- )(?=\S)/
/** `A1 Title`, `B2. Title` of vinyl: sides are treated as discs, and the number counts within its side. */
const SIDE = /^([A-H])(\d{1,2})(?:[. _-]+)(?=\S)/

/**
 * Track number and title from the name of a file. A three-digit number is disc and track if possible (`203` is 2-03), because no disc has
 * a hundred tracks. Text before ` - ` after the number is the artist.
 */
export function parseTrackName(fileName: string): TrackName {
  const stem = withoutExtension(normalizeName(fileName)).trim()
  const text = stem.includes(' ') ? stem : stem.replaceAll('_', ' ')
  const { disc, track, length } = numbersOf(text)
  const rest = text.slice(length).trim()
  const parts = track === null ? [rest] : rest.split(' - ')
  const title = parts
    .slice(parts.length > 1 ? 1 : 0)
    .join(' - ')
    .trim()
  const artist = parts.length > 1 ? (parts[0] ?? '').trim() : ''
  return { title: title || rest || stem || fileName, artist: artist === '' ? null : artist, track, disc }
}

function numbersOf(text: string): { disc: number | null; track: number | null; length: number } {
  const pair = DISC_TRACK.exec(text)
  if (pair !== null) return { disc: Number(pair[1]), track: Number(pair[2]), length: pair[0].length }
  const side = SIDE.exec(text)
  if (side !== null) {
    return { disc: (side[1] ?? 'A').charCodeAt(0) - 64, track: Number(side[2]), length: side[0].length }
  }
  const single = TRACK.exec(text) ?? SINGLE.exec(text)
  const number = Number(single?.[1])
  if (single === null || isYear(text)) return { disc: null, track: null, length: 0 }
  if (number < 100) return { disc: null, track: number, length: single[0].length }
  const isSplit = number % 100 > 0 && number % 100 < 60
  return {
    disc: isSplit ? Math.floor(number / 100) : null,
    track: isSplit ? number % 100 : number,
    length: single[0].length,
  }
}

function isYear(text: string): boolean {
  return /^(?:19|20)\d\d(?!\d)/.test(text)
}
