import type { RequestProvider } from '../../provider-client/request-provider.ts'
import type { AlbumFacts, MusicProvider, WantedAlbum } from '../../music-facts.ts'
import type { RequestOptions } from '../../provider.ts'
import { omitAbsentValues } from '../lenient-schemas.ts'
import { chooseAlbum, removeEdition } from './choose-album.ts'
import type { CoverArtArchive } from './cover-art-archive.ts'
import { MusicArtist, MusicRelease, MusicReleaseGroup, SearchReply } from './replies.ts'

/** The placeholder artist for several artists; it has no origin or dates. */
const VARIOUS_ARTISTS_ID = '89ad4ac3-39f7-470e-963a-56509c546377'

const MAX_GENRES = 8

type Credit = MusicReleaseGroup['artist-credit']
type Genres = MusicReleaseGroup['genres']

/**
 * MusicBrainz, version 2 of its API (musicbrainz.org/doc/MusicBrainz_API). An album with a tagged release needs one request, another album
 * needs a search and a request, and an artist needs one request.
 */
export function createMusicBrainz(input: {
  request: RequestProvider
  covers: CoverArtArchive | undefined
}): MusicProvider {
  const { request, covers } = input

  async function readRelease(id: string, options: RequestOptions): Promise<AlbumFacts | undefined> {
    const query = { inc: 'artist-credits+release-groups+genres', fmt: 'json' }
    const release = await request({ path: `/release/${encodeURIComponent(id)}`, query, schema: MusicRelease }, options)
    if (release === undefined) return undefined
    const group = release['release-group']
    const own = release['cover-art-archive'].front ? covers?.releaseCover(release.id) : undefined
    return {
      metadata: facts(group, {
        ids: { musicbrainz_release: release.id },
        date: release.date,
        genres: [...release.genres, ...group.genres],
      }),
      coverUrl: own ?? (await covers?.findGroupCover(group.id, options)) ?? null,
      artist: artistOf(release['artist-credit']),
    }
  }

  async function searchGroup(wanted: WantedAlbum, options: RequestOptions): Promise<MusicReleaseGroup | undefined> {
    const words = `releasegroup:${phrase(removeEdition(wanted.title))} AND artist:${phrase(wanted.artist)}`
    const query = { query: words, limit: '25', fmt: 'json' }
    const reply = await request({ path: '/release-group', query, schema: SearchReply }, options)
    return chooseAlbum(reply?.['release-groups'] ?? [], wanted)
  }

  async function readGroup(id: string, options: RequestOptions): Promise<AlbumFacts | undefined> {
    const query = { inc: 'artist-credits+genres', fmt: 'json' }
    const group = await request({ path: `/release-group/${id}`, query, schema: MusicReleaseGroup }, options)
    if (group === undefined) return undefined
    return {
      metadata: facts(group, { ids: {}, date: null, genres: group.genres }),
      coverUrl: (await covers?.findGroupCover(group.id, options)) ?? null,
      artist: artistOf(group['artist-credit']),
    }
  }

  return {
    async findAlbum(wanted, options) {
      const tagged = wanted.releaseId === null ? undefined : await readRelease(wanted.releaseId, options)
      if (tagged !== undefined) return tagged
      const group = await searchGroup(wanted, options)
      return group === undefined ? undefined : readGroup(group.id, options)
    },

    async readArtist(id, options) {
      const query = { inc: 'genres', fmt: 'json' }
      const artist = await request({ path: `/artist/${encodeURIComponent(id)}`, query, schema: MusicArtist }, options)
      if (artist === undefined) return undefined
      const { begin, end } = artist['life-span']
      return {
        metadata: omitAbsentValues({
          external_ids: { musicbrainz: artist.id },
          genres: genreNames(artist.genres),
          artist_type: artist.type,
          country: artist.country,
          begin_date: begin,
          end_date: end,
        }),
      }
    },
  }
}

/** A phrase in Lucene query syntax: within quotes only these two characters are special. */
function phrase(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (mark) => `\\${mark}`)}"`
}

function facts(
  group: MusicReleaseGroup,
  { ids, date, genres }: { ids: Record<string, string>; date: string | null; genres: Genres },
): Record<string, unknown> {
  return omitAbsentValues({
    external_ids: { musicbrainz_release_group: group.id, ...ids },
    // A reissue keeps the first year of the album.
    release_date: group['first-release-date'] ?? date,
    genres: genreNames(genres),
    album_type: group['primary-type'],
  })
}

/** The genres with the most votes. */
function genreNames(genres: Genres): string[] {
  const counts = new Map<string, number>()
  for (const { name, count } of genres) counts.set(name, Math.max(counts.get(name) ?? 0, count ?? 0))
  const ranked = [...counts].toSorted(([one, some], [other, more]) => more - some || (one < other ? -1 : 1))
  return ranked.slice(0, MAX_GENRES).map(([name]) => name)
}

function artistOf(credit: Credit): AlbumFacts['artist'] {
  const [first, ...others] = credit
  if (first === undefined || others.length > 0 || first.artist.id === VARIOUS_ARTISTS_ID) return null
  return { id: first.artist.id, name: first.artist.name }
}
