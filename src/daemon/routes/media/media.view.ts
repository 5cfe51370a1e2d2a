import type { MediaItem, MediaItemDetail, MediaStream } from '../../../core/catalogue/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { UserData } from '../../../core/user-items/index.ts'

type Metadata = Readonly<Record<string, unknown>>

/** What a signature for an item's file is made for, and what its address is. */
export function streamResource(itemId: string): string {
  return `/media/${itemId}/stream`
}

/** An item as lists show it. Provider facts are read from its metadata; what nobody knows is null or empty. */
export function mediaRowView(item: MediaItem) {
  const { metadata } = item
  return {
    id: item.id,
    library_id: item.libraryId,
    name: item.name,
    type: item.type,
    sort_title: item.sortTitle,
    path: item.path,
    poster_url: null,
    poster_srcset: null,
    backdrop_url: null,
    backdrop_srcset: null,
    genres: textsOf(metadata, 'genres'),
    year: item.year,
    rating: textOf(metadata, 'rating'),
    runtime: item.durationSeconds === null ? null : Math.round(item.durationSeconds / 60),
    duration: item.durationSeconds === null ? null : Math.round(item.durationSeconds),
    overview: textOf(metadata, 'overview'),
    actors: textsOf(metadata, 'actors'),
    director: textOf(metadata, 'director'),
    parent_id: item.parentId,
    season_number: item.seasonNumber,
    episode_number: item.episodeNumber,
    episode_title: item.episodeTitle,
    air_date: textOf(metadata, 'air_date'),
    artist: textOf(metadata, 'artist'),
    album: textOf(metadata, 'album'),
    created_at: toIsoTimestamp(item.createdAt),
    updated_at: toIsoTimestamp(item.updatedAt),
  }
}

/** An item with everything that a player needs, at the top level and again under `item` (decisions 3.6). */
export function mediaDetailView(item: MediaItemDetail, userData: UserData, signer: UrlSigner) {
  const full = {
    ...mediaRowView(item),
    container: item.container,
    bitrate: item.bitrate,
    probe_error: item.probeError,
    stream_url: item.path === null ? null : signer.signUrl(streamResource(item.id)),
    streams: item.streams.map((stream) => streamView(item.id, stream)),
    metadata: { title: item.name, year: item.year, summary: null, ...item.metadata },
    user_data: userDataView(userData),
  }
  return { ...full, item: full }
}

/** What the caller has said about an item. */
export function userDataView({ isFavourite, rating, likeLevel, isWatched }: UserData) {
  return { favorite: isFavourite, rating, like_level: likeLevel, watched: isWatched }
}

export function streamView(itemId: string, stream: MediaStream) {
  return {
    id: stream.id,
    media_item_id: itemId,
    stream_index: stream.index,
    stream_type: stream.type,
    codec: stream.codec,
    language: stream.language,
    title: stream.title,
    bitrate: stream.bitrate,
    width: stream.width,
    height: stream.height,
    channels: stream.channels,
    is_default: stream.isDefault,
  }
}

function textOf(metadata: Metadata, key: string): string | null {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : null
  return typeof value === 'string' ? value : null
}

function textsOf(metadata: Metadata, key: string): string[] {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : null
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}
