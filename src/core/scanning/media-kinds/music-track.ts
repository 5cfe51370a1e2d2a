import { VARIOUS_ARTISTS, type MusicTrack } from '../../music/index.ts'
import { parseMusicPlace, sortTitle } from '../../naming/index.ts'
import type { FileFacts } from '../../probing/index.ts'
import type { PlannedFile } from './media-kind.ts'
import { namesBesideTags, taggedAlbumArtist } from './music-tags.ts'

/** Covers by name, the most telling first. */
const COVER_NAMES = ['cover', 'folder', 'front', 'albumart', 'album']
const COVER = /^(?:cover|folder|front|albumart|album)\.(?:jpe?g|png|webp|gif|bmp|avif)$/i

/** `A feat. B`, `A (ft. B)`: guests of a track are not the artist of its album. */
const GUESTS = /\s+[([]?(?:feat\.?|ft\.?|featuring)\s.*$/i

/**
 * Where a song belongs: to the album of its tags, and where they name none to that of its folders. The album is of its own artist,
 * else for a compilation of various artists, else of who plays.
 * @param pathInsideRoot of its folder
 */
export function musicTrackOf(
  { identification: { metadata, year } }: PlannedFile,
  facts: FileFacts | null,
  pathInsideRoot: string,
): MusicTrack {
  const tags = facts?.tags ?? null
  const names = tags === null ? metadata : namesBesideTags(metadata, tags)
  const artist = tags?.artist ?? textOf(names['artist'])
  const album = tags?.album ?? textOf(names['album'])
  const owner = (tags === null ? null : taggedAlbumArtist(tags)) ?? guestless(tags?.artist ?? null)
  const albumArtist = owner ?? textOf(names['album_artist']) ?? artist
  const picture = tags?.pictures[0]
  return {
    artist,
    albumArtist: albumArtist === null ? null : { name: albumArtist, sortName: artistSort(tags, albumArtist) },
    album:
      album === null
        ? null
        : { name: album, sortName: tags?.albumSort ?? sortTitle(album), releaseId: tags?.musicBrainz.release ?? null },
    discNumber: positive(tags?.discNumber ?? names['disc_number']),
    trackNumber: positive(tags?.trackNumber ?? names['track_number']),
    year: tags?.year ?? year,
    isInDiscFolder: parseMusicPlace(pathInsideRoot).disc !== null,
    pictureHash: picture === undefined ? null : Buffer.from(picture.sha256, 'hex'),
  }
}

/** The name of the picture of a folder's albums; undefined when it has none. */
export function chooseCover(names: Iterable<string>): string | undefined {
  const rank = (name: string): number => COVER_NAMES.indexOf(name.slice(0, name.indexOf('.')).toLowerCase())
  return [...names].filter((name) => COVER.test(name)).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0]
}

function artistSort(tags: FileFacts['tags'], name: string): string {
  if (tags !== null && name === tags.albumArtist && tags.albumArtistSort !== null) return tags.albumArtistSort
  if (tags !== null && name === tags.artist && tags.artistSort !== null) return tags.artistSort
  return name === VARIOUS_ARTISTS ? name : sortTitle(name)
}

function guestless(artist: string | null): string | null {
  return artist?.replace(GUESTS, '') ?? null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Nothing is number 0. */
function positive(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null
}
