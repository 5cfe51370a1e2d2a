import { parseCount, cleanLine } from '../untrusted-values.ts'
import type { SidecarProviderIds } from './local-metadata.ts'

const MAX_NUMBER = 2_147_483_647
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const WHOLE_UUID = new RegExp(`^${UUID}$`)

/** Returns an IMDb title id such as `tt0133093`; undefined for anything else, including people and companies. */
export function parseImdbId(value: unknown): string | undefined {
  return /^tt\d{7,10}$/.exec(cleanLine(value, 20) ?? '')?.[0]
}

/** Returns a TMDB or TVDB id, positive and without leading zeros; undefined for anything else. */
export function parseNumericId(value: unknown): string | undefined {
  const line = cleanLine(value, 20) ?? ''
  const number = /^\d{1,10}$/.test(line) ? parseCount(line, MAX_NUMBER) : null
  return number === null || number === 0 ? undefined : String(number)
}

/** Returns a MusicBrainz identifier in lower case; undefined for anything else. */
export function parseUuid(value: unknown): string | undefined {
  return WHOLE_UUID.exec(cleanLine(value, 40)?.toLowerCase() ?? '')?.[0]
}

/** Returns an ISBN of 10 or 13 digits with a valid check digit, without hyphens; undefined for anything else (ISO 2108). */
export function parseIsbn(value: unknown): string | undefined {
  const digits = (cleanLine(value, 60) ?? '')
    .replace(/^(?:urn:)?isbn:?/i, '')
    .replaceAll(/[\s-]/g, '')
    .toUpperCase()
  if (/^97[89]\d{10}$/.test(digits))
    return weighted(digits, (at) => (at % 2 === 0 ? 1 : 3)) % 10 === 0 ? digits : undefined
  if (/^\d{9}[\dX]$/.test(digits)) return weighted(digits, (at) => 10 - at) % 11 === 0 ? digits : undefined
  return undefined
}

/** Returns Amazon's identifier of ten characters; undefined for anything else. */
export function parseAsin(value: unknown): string | undefined {
  return /^[A-Z0-9]{10}$/.exec(cleanLine(value, 20)?.toUpperCase() ?? '')?.[0]
}

const ADDRESSES: readonly { pattern: RegExp; id: (found: string) => SidecarProviderIds }[] = [
  { pattern: /imdb\.com\/(?:[a-z-]{2,6}\/)?title\/(tt\d{7,10})/i, id: (imdb) => ({ imdb }) },
  { pattern: /themoviedb\.org\/(?:movie|tv)\/(\d{1,10})/i, id: (tmdb) => ({ tmdb }) },
  {
    pattern:
      /thetvdb\.com\/(?:[^\s"'<>?]{0,100}\?(?:[^\s"'<>&]{0,50}&){0,8}(?:series)?id=|dereferrer\/(?:series|movie|episode)\/)(\d{1,10})/i,
    id: (tvdb) => ({ tvdb }),
  },
  {
    pattern: new RegExp(`musicbrainz\\.org/artist/(${UUID})`, 'i'),
    id: (id) => ({ musicBrainzArtist: id.toLowerCase() }),
  },
  {
    pattern: new RegExp(`musicbrainz\\.org/release/(${UUID})`, 'i'),
    id: (id) => ({ musicBrainzRelease: id.toLowerCase() }),
  },
  {
    pattern: new RegExp(`musicbrainz\\.org/release-group/(${UUID})`, 'i'),
    id: (id) => ({ musicBrainzReleaseGroup: id.toLowerCase() }),
  },
]

/** Returns identifiers from addresses in a text: Kodi allows an NFO that consists of an address only. */
export function findIdsInAddresses(text: string): SidecarProviderIds {
  const ids: SidecarProviderIds = {}
  for (const { pattern, id } of ADDRESSES) {
    const value = pattern.exec(text)?.[1]
    if (value !== undefined) Object.assign(ids, id(value))
  }
  return ids
}

/** Returns an object without undefined values. */
export function omitUndefined(ids: {
  [Name in keyof SidecarProviderIds]: SidecarProviderIds[Name] | undefined
}): SidecarProviderIds {
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined))
}

function weighted(digits: string, weight: (at: number) => number): number {
  return Array.from(digits).reduce((sum, digit, at) => sum + (digit === 'X' ? 10 : Number(digit)) * weight(at), 0)
}
