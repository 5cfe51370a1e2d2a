import type { Asked } from './provider.ts'

/** An album as tags and folders name it. */
export type WantedAlbum = {
  title: string
  /** Of the album; `Various Artists` where its tracks have different ones. */
  artist: string
  /** MusicBrainz' number of the release, where it is tagged. */
  releaseId: string | null
  year: number | null
}

/** What a provider says about an album. */
export type AlbumFacts = {
  /** `external_ids` (`musicbrainz_release_group`, and where the release is known `musicbrainz_release`), `release_date`, `genres`, `album_type`. */
  metadata: Record<string, unknown>
  /** Address of the front cover; null: there is none. */
  coverUrl: string | null
  /** Whose album it is; null for albums of several. */
  artist: { id: string; name: string } | null
}

/** What a provider says about an artist: `external_ids.musicbrainz`, `genres`, `artist_type`, `country`, `begin_date`, `end_date`. */
export type ArtistFacts = { metadata: Record<string, unknown> }

/** A source of facts about music; it throws what title providers throw (provider.ts). */
export type MusicProvider = {
  /** The album that is meant beyond doubt; undefined when nobody is sure. */
  findAlbum(wanted: WantedAlbum, asked: Asked): Promise<AlbumFacts | undefined>
  readArtist(id: string, asked: Asked): Promise<ArtistFacts | undefined>
}
