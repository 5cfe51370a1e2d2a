import { sortTitle } from '../naming/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { VARIOUS_ARTISTS } from './music-track.ts'
import { insertMissingArtists, moveTracks, selectMisplacedTracks } from './queries/compilations.ts'
import { upsertAlbums } from './queries/write.ts'

/**
 * Groups songs of one folder with the same album title and no album artist: into an album of various artists if several play, or of one
 * artist if all artist names begin with that name (`Eminem`, `Eminem, Dido`). Disc folders of one album are treated as one folder. Must be
 * called after files were added, removed or changed. Albums that lose all their songs remain until `removeEmptyAlbums`.
 */
export async function groupCompilations(connection: Connection, { libraryId }: { libraryId: string }): Promise<void> {
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
