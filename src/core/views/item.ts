import type { ListedArtwork } from '../artwork/index.ts'
import type { Chapter, ItemFile, ListedItem, MediaItemDetail, MediaStream } from '../catalogue/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'
import { metadataText, metadataTexts } from './metadata-values.ts'

/**
 * A list row without pictures, whose URLs need a signature. `runtime` is in minutes, `duration` in whole seconds. Facts of providers are
 * read from the metadata; unknown values are null or empty.
 */
export function itemRowView(item: ListedItem) {
  const { metadata } = item
  return {
    id: item.id,
    library_id: item.libraryId,
    name: item.name,
    type: item.type,
    sort_title: item.sortTitle,
    path: item.path,
    genres: metadataTexts(metadata, 'genres'),
    year: item.year,
    rating: metadataText(metadata, 'rating'),
    runtime: item.durationSeconds === null ? null : Math.round(item.durationSeconds / 60),
    duration: item.durationSeconds === null ? null : Math.round(item.durationSeconds),
    overview: metadataText(metadata, 'overview'),
    actors: metadataTexts(metadata, 'actors'),
    director: metadataText(metadata, 'director'),
    parent_id: item.parentId,
    season_number: item.seasonNumber,
    episode_number: item.episodeNumber,
    episode_title: item.episodeTitle,
    air_date: metadataText(metadata, 'air_date'),
    artist: metadataText(metadata, 'artist'),
    album: metadataText(metadata, 'album'),
    created_at: toIsoTimestamp(item.createdAt),
    updated_at: toIsoTimestamp(item.updatedAt),
  }
}

/** A list row with the exact duration, as commands print it. */
export function itemView(item: ListedItem) {
  return { ...itemRowView(item), duration_seconds: item.durationSeconds }
}

type DescribedItem = { item: MediaItemDetail; files: readonly ItemFile[]; artwork: readonly ListedArtwork[] }

/** An item with all stored data, as commands print it. Keys inside the metadata and the details of streams are data and stay unchanged. */
export function itemDetailView({ item, files, artwork }: DescribedItem) {
  return {
    ...itemView(item),
    size_bytes: item.sizeBytes,
    container: item.container,
    bitrate: item.bitrate,
    probe_error: item.probeError,
    missing_since: isoTimestampOrNull(item.missingSince),
    metadata: item.metadata,
    files: files.map(itemFileView),
    artwork,
    chapters: item.chapters.map(chapterView),
    streams: item.streams.map((stream) => ({
      ...streamView(stream),
      index: stream.index,
      type: stream.type,
      details: stream.details,
    })),
  }
}

/** A file of an item. `role` and `label` are null for the item's own file. */
export function itemFileView(file: ItemFile) {
  const { path, sizeBytes, container, codec, width, height } = file
  return {
    id: file.id,
    role: file.role,
    label: file.label,
    path,
    size_bytes: sizeBytes,
    duration_seconds: file.durationSeconds,
    container,
    codec,
    width,
    height,
    resolution: width === null || height === null ? null : `${width}x${height}`,
  }
}

/** A track of a file. `stream_index` is its position among all streams of the file. */
export function streamView(stream: MediaStream) {
  return {
    id: stream.id,
    media_item_id: stream.mediaItemId,
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

/** A chapter; its title is null only if the file has none. */
export function chapterView<Title extends Chapter['title']>(chapter: Omit<Chapter, 'title'> & { title: Title }) {
  return { start_seconds: chapter.startSeconds, end_seconds: chapter.endSeconds, title: chapter.title }
}
