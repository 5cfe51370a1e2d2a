import { setProviderArtwork } from '../artwork/index.ts'
import type { AlbumFacts, ArtistFacts, MusicProvider, Visit, WantedAlbum } from '../metadata/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { UNKNOWN_ARTIST } from './music-track.ts'
import {
  clearFacts,
  countMatchableAlbums,
  selectMatchableAlbums,
  updateAlbumFacts,
  updateArtistFacts,
} from './queries/matching.ts'

/** An album as matching sees it. */
export type MatchableAlbum = WantedAlbum & { id: string; artistId: string; isArtistKnown: boolean }

/** What a provider says about an album and whose it is; undefined where nobody was sure. */
export type AlbumResolution = { album: AlbumFacts | undefined; artist: ArtistFacts | undefined }

type Place = { libraryId: string; visit: Visit; after: string | null }

/** How many albums of a library would be visited after this one, by id; null: from the first on. */
export async function countAlbumsToMatch(connection: Connection, place: Place): Promise<number> {
  return countMatchableAlbums(connection, place)
}

/** A page of them, by id. */
export async function listAlbumsToMatch(
  connection: Connection,
  page: Place & { limit: number },
): Promise<MatchableAlbum[]> {
  return selectMatchableAlbums(connection, page)
}

type Asked = Parameters<MusicProvider['findAlbum']>[1]

/**
 * Asks about one album, and about its artist where the album says which of the same name it is; writes nothing. Throws what asking throws
 * (core/metadata, provider.ts).
 * @param input.isForced also about an artist that is known already
 */
export async function resolveAlbum(
  provider: MusicProvider,
  { album, isForced }: { album: MatchableAlbum; isForced: boolean },
  asked: Asked,
): Promise<AlbumResolution> {
  // Everybody has an album that nobody's name stands on.
  if (album.artist === UNKNOWN_ARTIST && album.releaseId === null) return { album: undefined, artist: undefined }
  const facts = await provider.findAlbum(album, asked)
  const isArtistWanted = isForced || !album.isArtistKnown
  const artistId = isArtistWanted && isSameArtist(album.artist, facts) ? facts?.artist?.id : undefined
  return { album: facts, artist: artistId === undefined ? undefined : await provider.readArtist(artistId, asked) }
}

/** A tagged release may be by somebody else than the name that stands on the files. */
function isSameArtist(name: string, facts: AlbumFacts | undefined): boolean {
  return facts?.artist?.name.localeCompare(name, 'en', { sensitivity: 'base' }) === 0
}

/** Writes what was found out about an album and stamps it. Within a transaction. An album that went away meanwhile is left at that. */
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

/** Takes away what providers have said about the albums and artists of a library; their pictures are forgotten with the others. */
export async function clearMusicFacts(connection: Connection, { libraryId }: { libraryId: string }): Promise<void> {
  await clearFacts(connection, libraryId)
}
