import { hash } from 'node:crypto'
import type { ExtraType } from '../naming/index.ts'
import { videoQuality, DEFAULT_QUALITY, EXTRA_WIRE_TYPES, type Extra, type ExtraWireType } from './extra.ts'

/** A file of an extra, as stored in the catalogue. */
export type LocalExtra = {
  id: string
  title: string
  /** Derived from names; undefined if unknown. */
  type: string | null
  path: string
  durationSeconds: number | null
  width: number | null
  height: number | null
}

/** The API type of each kind of file; undefined: not playable by itself. */
const TYPES: Readonly<Record<ExtraType, ExtraWireType | undefined>> = {
  trailer: 'trailer',
  featurette: 'featurette',
  behind_the_scenes: 'behind_the_scenes',
  interview: 'interview',
  clip: 'clip',
  deleted_scene: 'deleted_scene',
  scene: 'clip',
  short: 'clip',
  other: 'clip',
  sample: undefined,
  theme_song: undefined,
  theme_video: undefined,
}

/**
 * All extras of an item in display order: trailers first. If a local and a remote trailer have the same title, the local one is kept.
 * Pure.
 */
export function mergeExtras(locals: readonly LocalExtra[], remote: readonly Extra[]): Extra[] {
  const files = locals.flatMap((local) => localExtra(local))
  const titles = new Set(files.filter(({ type }) => type === 'trailer').map(({ title }) => foldTitle(title)))
  const others = remote.filter(({ title }) => !titles.has(foldTitle(title)))
  return [...files, ...others].toSorted(
    (a, b) =>
      EXTRA_WIRE_TYPES.indexOf(a.type) - EXTRA_WIRE_TYPES.indexOf(b.type) ||
      a.title.localeCompare(b.title, 'en', { numeric: true }),
  )
}

function foldTitle(title: string): string {
  return title.normalize('NFC').toLowerCase()
}

function localExtra({ id, title, type: named, path, durationSeconds, ...size }: LocalExtra): Extra[] {
  const type = named !== null && Object.hasOwn(TYPES, named) ? TYPES[named as ExtraType] : undefined
  if (type === undefined) return []
  const seconds = durationSeconds === null ? null : Math.round(durationSeconds)
  return [{ id, title, type, durationSeconds: seconds, quality: videoQuality(size), path, url: null }]
}

/** The one trailer of a provider, if its URL may be opened by a page. Pure. */
export function listRemoteTrailers({
  itemId,
  metadata,
}: {
  itemId: string
  metadata: Readonly<Record<string, unknown>>
}): Extra[] {
  const url = Object.hasOwn(metadata, 'trailer_url') ? metadata['trailer_url'] : undefined
  if (typeof url !== 'string' || url.length > 2048 || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return []
  const id = remoteId(`${itemId} ${url}`)
  return [{ id, title: 'Trailer', type: 'trailer', durationSeconds: null, quality: DEFAULT_QUALITY, path: null, url }]
}

/** A deterministic UUID for a trailer of an item (RFC 9562, version 8). */
function remoteId(name: string): string {
  const digits = hash('sha256', name).slice(0, 32)
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const marked = `${digits.slice(0, 12)}8${digits.slice(13, 16)}${variant}${digits.slice(17)}`
  return marked.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
