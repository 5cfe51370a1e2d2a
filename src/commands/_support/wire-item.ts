import * as Args from '@oclif/core/args'
import type { ListedArtwork } from '../../core/artwork/index.ts'
import type { ItemFile, ListedItem, MediaItemDetail } from '../../core/catalogue/index.ts'
import type { Database } from '../../core/platform/database/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'
import { printable } from './output/table.ts'
import { toWireNames } from './wire-names.ts'

/** Argument that identifies an item. */
export const itemArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'id of the item, from media:list',
})

/** A list item as JSON, with the keys of the HTTP API; durations in seconds. */
export function wireItem(item: ListedItem): Record<string, unknown> {
  return {
    id: item.id,
    library_id: item.libraryId,
    parent_id: item.parentId,
    type: item.type,
    name: item.name,
    sort_title: item.sortTitle,
    year: item.year,
    season_number: item.seasonNumber,
    episode_number: item.episodeNumber,
    episode_title: item.episodeTitle,
    path: item.path,
    duration_seconds: item.durationSeconds,
    created_at: toIsoTimestamp(item.createdAt),
    updated_at: toIsoTimestamp(item.updatedAt),
  }
}

/** An item with all data of `media:show`. */
type ShownItem = { item: MediaItemDetail; title: string; files: readonly ItemFile[]; artwork: readonly ListedArtwork[] }

/** @throws AppError `media_item_not_found` */
export async function readShownItem(services: { db: Database }, id: string): Promise<ShownItem> {
  const { describeItems, getItem, listItemFiles } = await import('../../core/catalogue/index.ts')
  const { listArtwork } = await import('../../core/artwork/index.ts')
  const item = await getItem(services, id)
  const [described] = await describeItems(services, [item.id])
  return {
    item,
    title: described?.title ?? item.name,
    files: await listItemFiles(services, item.id),
    artwork: await listArtwork(services, item.id),
  }
}

/** An item with all data as JSON. Keys of metadata are kept unchanged. */
export function wireItemDetail({ item, files, artwork }: ShownItem): Record<string, unknown> {
  return {
    ...wireItem(item),
    size_bytes: item.sizeBytes,
    container: item.container,
    bitrate: item.bitrate,
    probe_error: item.probeError,
    missing_since: isoTimestampOrNull(item.missingSince),
    metadata: item.metadata,
    files: toWireNames(files),
    artwork,
    chapters: toWireNames(item.chapters),
    streams: item.streams.map(({ details, ...stream }) => ({ ...(toWireNames(stream) as object), details })),
  }
}

/** The same as text, one fact per line. */
export function describeItemDetail({ item, title, files, artwork }: ShownItem): string {
  const { metadata } = item
  const lines: [label: string, text: string | null][] = [
    ['id', item.id],
    ['title', `${title} (${item.type})`],
    ['sorted as', item.sortTitle === item.name ? null : item.sortTitle],
    ['numbers', metadata['external_ids'] === undefined ? null : describeIds(metadata['external_ids'])],
    ['genres', Array.isArray(metadata['genres']) ? metadata['genres'].join(', ') : null],
    ['overview', typeof metadata['overview'] === 'string' ? metadata['overview'] : null],
    ['length', item.durationSeconds === null ? null : `${item.durationSeconds.toFixed(1)} s`],
    ...files.map((file): [string, string] => [file.role ?? 'file', describeFile(file)]),
    ...artwork.map((picture): [string, string] => [picture.kind, describePicture(picture)]),
    ...item.streams.map((stream): [string, string] => [
      `stream ${stream.index}`,
      [stream.type, stream.codec, stream.language, stream.title].filter((word) => word !== null).join(' '),
    ]),
    ['chapters', item.chapters.length === 0 ? null : String(item.chapters.length)],
    ['unreadable', item.probeError],
    ['missing', isoTimestampOrNull(item.missingSince)],
  ]
  const shown = lines.filter(([, text]) => text !== null && text !== '')
  return shown.map(([label, text]) => `${label.padEnd(12)}${printable(text ?? '')}`).join('\n')
}

function describeIds(ids: unknown): string {
  if (typeof ids !== 'object' || ids === null) return ''
  return Object.entries(ids)
    .map(([provider, id]) => `${provider} ${String(id)}`)
    .join(', ')
}

const SOURCES: Readonly<Record<ListedArtwork['source'], string>> = {
  edited: 'set with media:edit',
  file: 'the file',
  inside: 'in',
  frame: 'a frame of',
  web: 'from',
}

function describePicture({ source, path, url }: ListedArtwork): string {
  return [SOURCES[source], path ?? url ?? ''].join(' ').trim()
}

/** A file with the id for playback and what distinguishes it from the others. */
function describeFile({ id, role, label, path, sizeBytes, durationSeconds, width, height }: ItemFile): string {
  const facts = [
    label,
    width === null || height === null ? null : `${width}x${height}`,
    durationSeconds === null ? null : `${durationSeconds.toFixed(1)} s`,
    sizeBytes === null ? null : `${sizeBytes} bytes`,
    role === null ? null : id,
  ].filter((fact) => fact !== null)
  return facts.length === 0 ? path : `${path} (${facts.join(', ')})`
}
