import { VARIOUS_ARTISTS, type MusicTrack } from '../../music/index.ts'
import { parseMusicFolder, sortTitle } from '../../naming/index.ts'
import type { FileFacts, LocalMetadata } from '../../probing/index.ts'
import { albumNfoFacts } from './album-nfo.ts'
import type { PlannedFile } from './media-kind.ts'
import { toMusicTags, musicFactsFromNames } from './music-tags.ts'

type Tags = NonNullable<FileFacts['tags']>

/** Cover names, the preferred first. */
const COVER_NAMES = ['cover', 'folder', 'front', 'albumart', 'album']
const COVER = /^(?:cover|folder|front|albumart|album)\.(?:jpe?g|png|webp|gif|bmp|avif)$/i

/** `A feat. B`, `A (ft. B)`: guest artists are not part of the album artist. */
const GUESTS = /\s+[([]?(?:feat\.?|ft\.?|featuring)\s.*$/i

/**
 * Assigns a song to an album: the album of its tags, else of the `album.nfo`, else of its folders. The album artist comes from its tag;
 * without one it is Various Artists for a compilation, else the track's artist. If the songs of a folder have different artists,
 * `groupCompilations` corrects it later.
 * @param pathInsideRoot path of its folder
 */
export function toMusicTrack(
  { identification: { metadata, year } }: PlannedFile,
  { facts, local }: { facts: FileFacts | null; local: readonly LocalMetadata[] },
  pathInsideRoot: string,
): MusicTrack {
  const tags = facts?.tags ?? null
  const beside = albumNfoFacts(local, tags)
  const names = tags === null ? metadata : musicFactsFromNames(metadata, tags)
  const merged = { ...names, ...beside.metadata, ...(tags !== null && toMusicTags(tags)) }
  const artist = textOf(merged['artist'])
  const album = textOf(merged['album'])
  const named = textOf(merged['album_artist'])
  const guessed = withoutGuests(artist)
  const owner = named ?? guessed
  return {
    artist,
    albumArtist: owner === null ? null : { name: owner, sortName: artistSort(tags, owner) },
    guessedArtist: named === null && album !== null ? guessed : null,
    album: album === null ? null : { name: album, ...albumFacts(tags, album) },
    discNumber: numberFrom(1, merged['disc_number']),
    trackNumber: numberFrom(0, merged['track_number']),
    year: tags?.year ?? beside.year ?? year,
    isInDiscFolder: parseMusicFolder(pathInsideRoot).disc !== null,
    pictureHash: pictureHashOf(tags),
  }
}

function albumFacts(tags: Tags | null, album: string): { sortName: string; releaseId: string | null } {
  return { sortName: tags?.albumSort ?? sortTitle(album), releaseId: tags?.musicBrainz.release ?? null }
}

function pictureHashOf(tags: Tags | null): Buffer | null {
  const [front] = tags?.pictures ?? []
  return front === undefined ? null : Buffer.from(front.sha256, 'hex')
}

/** Returns the name of the cover of a folder's albums; undefined if there is none. */
export function chooseCover(names: Iterable<string>): string | undefined {
  const rank = (name: string): number => COVER_NAMES.indexOf(name.slice(0, name.indexOf('.')).toLowerCase())
  return [...names].filter((name) => COVER.test(name)).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0]
}

function artistSort(tags: Tags | null, name: string): string {
  if (tags !== null && name === tags.albumArtist && tags.albumArtistSort !== null) return tags.albumArtistSort
  if (tags !== null && name === tags.artist && tags.artistSort !== null) return tags.artistSort
  return name === VARIOUS_ARTISTS ? name : sortTitle(name)
}

function withoutGuests(artist: string | null): string | null {
  return artist?.replace(GUESTS, '') ?? null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberFrom(least: number, value: unknown): number | null {
  return typeof value === 'number' && value >= least ? value : null
}
