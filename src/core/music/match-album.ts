import { setProviderArtwork } from '../artwork/index.ts'
import type { AlbumFacts, ArtistFacts, MusicProvider, MatchScope } from '../metadata/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { MatchableAlbum } from './album.ts'
import { UNKNOWN_ARTIST } from './music-track.ts'
import {
  clearMusicProviderFacts,
  countMatchableAlbums,
  selectMatchableAlbums,
  updateAlbumFacts,
  updateArtistFacts,
} from './queries/matching.ts'

/** The provider's facts about an album and its artist; undefined if the match is uncertain. */
export type AlbumResolution = { album: AlbumFacts | undefined; artist: ArtistFacts | undefined }

type VisitRange = { libraryId: string; visit: MatchScope; after: string | null }

/**
 * The number of albums of a library that a job still visits.
 * @param place.after the id of the last visited album; null: start at the first
 */
export async function countAlbumsToMatch(connection: Connection, place: VisitRange): Promise<number> {
  return countMatchableAlbums(connection, place)
}

/** A page of these albums, by id. */
export async function listAlbumsToMatch(
  connection: Connection,
  page: VisitRange & { limit: number },
): Promise<MatchableAlbum[]> {
  return selectMatchableAlbums(connection, page)
}

type RequestOptions = Parameters<MusicProvider['findAlbum']>[1]

/**
 * Requests one album, and its artist if the album identifies the artist among others of the same name; writes nothing. Throws the
 * provider errors (core/metadata, provider.ts).
 * @param input.isForced also requests an artist that is known already
 */
export async function resolveAlbum(
  provider: MusicProvider,
  { album, isForced }: { album: MatchableAlbum; isForced: boolean },
  options: RequestOptions,
): Promise<AlbumResolution> {
  // Every library has untitled albums without an artist; a search for them is pointless.
  if (album.artist === UNKNOWN_ARTIST && album.releaseId === null) return { album: undefined, artist: undefined }
  const facts = await provider.findAlbum(album, options)
  const isArtistWanted = isForced || !album.isArtistKnown
  const artistId = isArtistWanted && isSameArtist(album.artist, facts) ? facts?.artist?.id : undefined
  return { album: facts, artist: artistId === undefined ? undefined : await provider.readArtist(artistId, options) }
}

/** A tagged release may be by another artist than the one named in the files. */
function isSameArtist(name: string, facts: AlbumFacts | undefined): boolean {
  return facts?.artist?.name.localeCompare(name, 'en', { sensitivity: 'base' }) === 0
}

/**
 * Writes the resolved facts of an album and the time of the refresh. Within a transaction. Does nothing if the album was deleted
 * meanwhile.
 */
export async function writeAlbumResolution(
  connection: Connection,
  { album, resolution, now }: { album: MatchableAlbum; resolution: AlbumResolution; now: Date },
): Promise<void> {
  const { album: facts, artist } = resolution
  if (facts === undefined) return
  if (!(await updateAlbumFacts(connection, { id: album.id, metadata: facts.metadata, now }))) return
  await setProviderArtwork(connection, [{ itemId: album.id, kind: 'cover', url: facts.coverUrl }])
  if (artist !== undefined) await updateArtistFacts(connection, { id: album.artistId, metadata: artist.metadata, now })
}

/** Removes the data of providers from the albums and artists of a library. Their pictures are removed together with all others. */
export async function clearMusicFacts(connection: Connection, { libraryId }: { libraryId: string }): Promise<void> {
  await clearMusicProviderFacts(connection, libraryId)
}
