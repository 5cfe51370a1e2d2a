import type { Connection } from '../platform/database/index.ts'
import { MAX_NAME_CHARACTERS, UNKNOWN_ARTIST, type MusicTrack, type SortedName } from './music-track.ts'
import { upsertAlbums, upsertArtists, upsertTracks, type AlbumRow, type TrackRow } from './queries/write.ts'

export type TrackWrite = MusicTrack & { itemId: string }

/**
 * Writes the data of some tracks, and creates the missing artists and albums, in three statements. Artists are unique within a library,
 * albums within an artist and release, ignoring case; the latest spelling is shown. Albums that lose their tracks remain until
 * `removeEmptyAlbums`.
 */
export async function writeTracks(
  connection: Connection,
  { libraryId, tracks }: { libraryId: string; tracks: readonly TrackWrite[] },
): Promise<void> {
  if (tracks.length === 0) return
  const rows = tracks.map(rowOf)
  const artists = new Map<string, SortedName>()
  const albums = new Map<string, AlbumRow>()
  for (const { artist, album } of rows) {
    // A name with a sort tag has priority over a name without one.
    if (artist !== null && !isSortedByTag(artists.get(artist.name))) artists.set(artist.name, artist)
    if (album !== null) albums.set(JSON.stringify([album.artist, album.name, album.releaseId]), album)
  }
  if (artists.size > 0) await upsertArtists(connection, { libraryId, artists: [...artists.values()] })
  if (albums.size > 0) await upsertAlbums(connection, { libraryId, albums: [...albums.values()] })
  await upsertTracks(connection, { libraryId, tracks: rows })
}

function isSortedByTag(artist: SortedName | undefined): boolean {
  return artist !== undefined && !artist.name.endsWith(artist.sortName)
}

function rowOf({ albumArtist, album, artist, guessedArtist, ...track }: TrackWrite): TrackRow {
  const unknown = album === null ? null : { name: UNKNOWN_ARTIST, sortName: UNKNOWN_ARTIST }
  const owner = albumArtist === null ? unknown : bounded(albumArtist)
  const row = album === null || owner === null ? null : { ...album, ...bounded(album), artist: owner.name }
  const guess = guessedArtist === null ? null : cut(guessedArtist)
  return { ...track, guessedArtist: guess, performer: artist === null ? null : cut(artist), artist: owner, album: row }
}

function bounded({ name, sortName }: SortedName): SortedName {
  return { name: cut(name), sortName: cut(sortName) }
}

function cut(name: string): string {
  return name.length <= MAX_NAME_CHARACTERS ? name : Array.from(name).slice(0, MAX_NAME_CHARACTERS).join('')
}
