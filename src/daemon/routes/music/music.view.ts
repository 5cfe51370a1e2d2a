import type { ArtworkAddresses } from '../../../core/artwork/index.ts'
import type { Album, Artist, Track } from '../../../core/music/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import { metadataExternalIds, metadataText, metadataTexts } from '../../../core/views/index.ts'
import { streamResource } from '../media/media.view.ts'

type Pictures = ReadonlyMap<string, ArtworkAddresses>

/** An artist. The picture is the artist's own, or the picture of the first album that has one. */
export function artistView(artist: Artist, pictures: Pictures) {
  const found = artist.pictureIds.map((id) => pictures.get(id)).find((picture) => picture !== undefined)
  return {
    name: artist.name,
    image_url: (found?.profile ?? found?.cover)?.url ?? null,
    album_count: artist.albumCount,
    track_count: artist.trackCount,
    ...providerFactsView(artist.metadata),
    albums_truncated: artist.albums.length < artist.albumCount,
    albums: artist.albums,
  }
}

/** An album. */
export function albumView(album: Album, pictures: Pictures, signer: UrlSigner) {
  return {
    id: album.id,
    name: album.name,
    artist: album.artist,
    year: album.year,
    album_art_url: pictures.get(album.id)?.cover?.url ?? null,
    track_count: album.trackCount,
    ...providerFactsView(album.metadata),
    tracks_truncated: album.tracks.length < album.trackCount,
    tracks: album.tracks.map((track) => trackView(track, signer)),
  }
}

/** Facts of a provider; empty if no provider was queried. */
function providerFactsView(metadata: Album['metadata']) {
  if (Object.keys(metadata).length === 0) return {}
  const date = metadataText(metadata, 'release_date')
  return {
    genres: metadataTexts(metadata, 'genres'),
    ...(date !== null && { release_date: date }),
    external_ids: metadataExternalIds(metadata),
  }
}

/** A track: `genre` and `composer` are always null, and `album_artist` is the artist. `genres` are the genres of the item. */
export function trackView(track: Track, signer: UrlSigner) {
  return {
    id: track.id,
    name: track.name,
    artist: track.artist,
    album: track.album,
    album_artist: track.artist,
    year: track.year,
    genre: null,
    genres: metadataTexts(track.metadata, 'genres'),
    track_number: track.trackNumber,
    disc_number: track.discNumber,
    duration_secs: track.durationSeconds === null ? null : Math.round(track.durationSeconds),
    composer: null,
    stream_url: signer.signUrl(streamResource(track.id)),
  }
}
