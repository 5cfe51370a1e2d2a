import type { ListedArtwork } from '../../../core/artwork/index.ts'
import type { ItemFile } from '../../../core/catalogue/index.ts'
import { isoTimestampOrNull } from '../../../core/platform/time/index.ts'
import type { ShownItem } from '../load-shown-item.ts'
import { replaceControlCharacters } from './table.ts'

/** The item as text, one fact per line. */
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
  return shown.map(([label, text]) => `${label.padEnd(12)}${replaceControlCharacters(text ?? '')}`).join('\n')
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
