import {
  parseCount,
  cleanLine,
  cleanLines,
  parseNumberInRange,
  cleanParagraphs,
  parseYear,
} from '../untrusted-values.ts'
import { parseCalendarDate } from './parse-calendar-date.ts'
import {
  emptyMetadata,
  type LocalActor,
  type LocalMetadata,
  type SidecarProviderIds,
  type SidecarOutcome,
} from './local-metadata.ts'
import { findIdsInAddresses, parseImdbId, parseNumericId, parseUuid, omitUndefined } from './provider-ids.ts'
import { readBookNfo } from './read-book-nfo.ts'
import { findChild, findChildren, parseXml, type XmlElement } from '../../platform/xml/index.ts'

/** Limit of episodes in one file. */
const MAX_ITEMS = 100
const MAX_ACTORS = 500
const MAX_NUMBER = 100_000

const KINDS: Readonly<Record<string, LocalMetadata['kind']>> = {
  movie: 'movie',
  musicvideo: 'movie',
  tvshow: 'series',
  season: 'season',
  episodedetails: 'episode',
  artist: 'artist',
  album: 'album',
}

/**
 * Reads a Kodi NFO (https://kodi.wiki/view/NFO_files): movie, tvshow, season, artist, album, one or several episodedetails, optionally
 * followed by an address; or only an address; or the `Title: …` lines of an audiobook. Never throws.
 */
export function readNfo(text: string): SidecarOutcome {
  const addressed = findIdsInAddresses(text)
  const xml = /^\s*<|<(?:movie|tvshow|season|episodedetails|artist|album|musicvideo)[\s>]/i.test(text)
    ? parseXml(text)
    : undefined
  const known = xml?.kind === 'read' ? xml.roots.filter(({ name }) => Object.hasOwn(KINDS, name)) : []
  if (known.length > 0) {
    // An address applies to the whole file, so it cannot be assigned to one of several episodes.
    const several = known.slice(0, MAX_ITEMS).map((root) => itemOf(root, known.length === 1 ? addressed : {}))
    return { kind: 'read', several }
  }
  if (xml?.kind === 'refused') return { kind: 'broken', reason: xml.reason }
  const book = readBookNfo(text)
  if (book !== undefined)
    return { kind: 'read', several: [{ ...book, providerIds: { ...addressed, ...book.providerIds } }] }
  if (Object.keys(addressed).length === 0)
    return { kind: 'broken', reason: 'neither Kodi elements nor a known address' }
  return { kind: 'read', several: [{ ...emptyMetadata('unknown'), providerIds: addressed }] }
}

function itemOf(root: XmlElement, addressed: SidecarProviderIds): LocalMetadata {
  const kind = KINDS[root.name] ?? 'unknown'
  const text = (name: string): string | undefined => findChild(root, name)?.text
  const texts = (name: string): string[] => findChildren(root, name).flatMap((child) => child.text.split(' / '))
  const date = parseCalendarDate(text('premiered') ?? text('aired') ?? text('releasedate'))
  return {
    ...emptyMetadata(kind),
    title: cleanLine(text('title')) ?? cleanLine(text('name')),
    sortTitle: cleanLine(text('sorttitle')) ?? cleanLine(text('sortname')),
    originalTitle: cleanLine(text('originaltitle')),
    showTitle: cleanLine(text('showtitle')),
    overview: firstParagraphs([text('plot'), text('review'), text('biography'), text('outline')]),
    tagline: cleanLine(text('tagline')),
    year: parseYear(text('year')) ?? parseYear(date),
    date,
    genres: cleanLines(texts('genre'), 200),
    tags: cleanLines(
      findChildren(root, 'tag').map((child) => child.text),
      200,
    ),
    studios: cleanLines(texts('studio')),
    publisher: cleanLine(text('label')),
    contentRating: cleanLine(text('mpaa'), 100),
    score: scoreOf(root),
    directors: cleanLines(texts('director')),
    writers: cleanLines([...texts('credits'), ...texts('writer')]),
    actors: actorsOf(root),
    artists: kind === 'artist' ? [] : cleanLines(findChildren(root, 'artist').map((child) => child.text)),
    series: cleanLines(findChild(findChild(root, 'set'), 'name')?.text ?? text('set')).map((name) => ({
      name,
      part: null,
    })),
    seasonNumber: parseCount(text('season') ?? text('seasonnumber'), MAX_NUMBER),
    episodeNumber: parseCount(text('episode'), MAX_NUMBER),
    providerIds: { ...addressed, ...idsOf(root, kind) },
  }
}

function firstParagraphs(texts: readonly (string | undefined)[]): string | null {
  for (const text of texts) {
    const paragraphs = cleanParagraphs(text)
    if (paragraphs !== null) return paragraphs
  }
  return null
}

function actorsOf(root: XmlElement): LocalActor[] {
  return findChildren(root, 'actor')
    .slice(0, MAX_ACTORS)
    .flatMap((actor) => {
      const name = cleanLine(findChild(actor, 'name')?.text)
      return name === null ? [] : [{ name, role: cleanLine(findChild(actor, 'role')?.text) }]
    })
}

/** Returns the default score of `<ratings>`, scaled to ten; else the old `<rating>`. */
function scoreOf(root: XmlElement): number | null {
  const ratings = findChildren(findChild(root, 'ratings'), 'rating')
  const chosen = ratings.find(({ attributes }) => attributes.get('default') === 'true') ?? ratings[0]
  if (chosen === undefined) return parseNumberInRange(findChild(root, 'rating')?.text, 0, 10)
  const highest = parseNumberInRange(chosen.attributes.get('max'), 1, 1000) ?? 10
  const value = parseNumberInRange(findChild(chosen, 'value')?.text, 0, highest)
  return value === null ? null : Math.round((value / highest) * 100) / 10
}

function idsOf(root: XmlElement, kind: LocalMetadata['kind']): SidecarProviderIds {
  const text = (name: string): string | undefined => findChild(root, name)?.text
  const unique = (type: string): string | undefined =>
    findChildren(root, 'uniqueid').find(({ attributes }) => attributes.get('type')?.toLowerCase() === type)?.text
  // The old `<id>` contains the IMDb id for films and the TVDB id for series.
  return omitUndefined({
    imdb:
      parseImdbId(unique('imdb')) ??
      parseImdbId(text('imdbid')) ??
      parseImdbId(text('imdb_id')) ??
      parseImdbId(text('id')),
    tmdb: parseNumericId(unique('tmdb')) ?? parseNumericId(text('tmdbid')),
    tvdb:
      parseNumericId(unique('tvdb')) ??
      parseNumericId(text('tvdbid')) ??
      (kind === 'series' ? parseNumericId(text('id')) : undefined),
    musicBrainzArtist: kind === 'artist' ? parseUuid(text('musicbrainzartistid')) : undefined,
    musicBrainzRelease: parseUuid(text('musicbrainzalbumid')),
    musicBrainzReleaseGroup: parseUuid(text('musicbrainzreleasegroupid')),
  })
}
