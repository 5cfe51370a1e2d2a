import type { RequestOptions } from './provider.ts'

/** An album as named by tags and folders. */
export type WantedAlbum = {
  title: string
  /** Artist of the album; `Various Artists` if its tracks have different artists. */
  artist: string
  /** MusicBrainz id of the release, if tagged. */
  releaseId: string | null
  year: number | null
}

/** What a provider returns about an album. */
export type AlbumFacts = {
  /**
   * `external_ids` (`musicbrainz_release_group`, and if the release is known `musicbrainz_release`), `release_date`, `genres`,
   * `album_type`.
   */
  metadata: Record<string, unknown>
  /** Address of the front cover; null if there is none. */
  coverUrl: string | null
  /** The artist of the album; null for albums of several artists. */
  artist: { id: string; name: string } | null
}

/** What a provider returns about an artist: `external_ids.musicbrainz`, `genres`, `artist_type`, `country`, `begin_date`, `end_date`. */
export type ArtistFacts = { metadata: Record<string, unknown> }

/** A source of facts about music. It throws the same errors as the title providers (provider.ts). */
export type MusicProvider = {
  /** The unambiguous album; undefined if it is uncertain. */
  findAlbum(wanted: WantedAlbum, options: RequestOptions): Promise<AlbumFacts | undefined>
  readArtist(id: string, options: RequestOptions): Promise<ArtistFacts | undefined>
}
