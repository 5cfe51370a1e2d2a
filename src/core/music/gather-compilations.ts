import { sortTitle } from '../naming/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { VARIOUS_ARTISTS } from './music-track.ts'
import { insertMissingArtists, moveTracks, selectMisplacedTracks } from './queries/compilations.ts'
import { upsertAlbums } from './queries/write.ts'

/**
 * Puts songs of one folder and one album title together whose album names no artist: an album of various artists where several play, of
 * the one artist where all their names begin with his (`Eminem`, `Eminem, Dido`). Discs in folders of their own count as one folder. To
 * be called when files have come, gone or changed; albums that lose all their songs thereby stay until `removeEmptyAlbums`.
 */
export async function gatherCompilations(connection: Connection, { libraryId }: { libraryId: string }): Promise<void> {
  const tracks = await selectMisplacedTracks(connection, libraryId)
  if (tracks.length === 0) return
  const artists = new Set(tracks.map(({ artist }) => artist))
  await insertMissingArtists(connection, {
    libraryId,
    artists: [...artists].map((name) => ({ name, sortName: name === VARIOUS_ARTISTS ? name : sortTitle(name) })),
  })
  const albums = new Map(tracks.map((track) => [JSON.stringify([track.artist, track.title, track.releaseId]), track]))
  await upsertAlbums(connection, {
    libraryId,
    albums: [...albums.values()].map(({ artist, title, sortName, releaseId }) => ({
      artist,
      name: title,
      sortName,
      releaseId,
    })),
  })
  await moveTracks(connection, { libraryId, tracks })
}
