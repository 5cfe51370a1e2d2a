import type { FileInspection } from '../../../core/scanning/index.ts'
import { snakeCaseKeys } from '../../../core/views/index.ts'
import { replaceControlCharacters } from './table.ts'

/** The `--json` output, schema `media.inspect/1`. Keys of metadata and container tags are kept unchanged. */
export function inspectionDocument(inspection: FileInspection): Record<string, unknown> {
  return {
    path: inspection.path,
    root: inspection.root,
    library_type: inspection.libraryType,
    size_bytes: inspection.sizeBytes,
    ...namingOf(inspection),
    canonical_key: inspection.canonicalKey,
    read_by: inspection.readBy,
    doubt: inspection.ffprobeReason,
    ...factsOf(inspection.facts),
    read_error: inspection.error,
  }
}

/** If there is no description, the scanner would ignore the file, so all naming fields are empty. */
function namingOf({ planned, description }: FileInspection): Record<string, unknown> {
  if (planned === null || description === null) {
    return { item: null, groups: [], role: null, sidecars: [], named_by: null, local_metadata: {} }
  }
  return {
    item: namedKeys(description.identification),
    groups: description.groups.map(namedKeys),
    role: snakeCaseKeys(planned.role),
    sidecars: planned.sidecars,
    named_by: description.nameSource,
    local_metadata: description.localMetadata,
  }
}

function namedKeys({ metadata, ...named }: { metadata: Record<string, unknown> }): object {
  return Object.assign(Object(snakeCaseKeys(named)) as object, { metadata })
}

function factsOf(facts: FileInspection['facts']): Record<string, unknown> {
  const { media = null, containerTags = {}, tags = null, photo = null, book = null } = facts ?? {}
  return {
    media: snakeCaseKeys(media),
    container_tags: containerTags,
    tags: snakeCaseKeys(tags),
    photo: snakeCaseKeys(photo),
    book: snakeCaseKeys(book),
  }
}

/** The inspection as text, one fact per line. */
export function describeInspection(inspection: FileInspection): string {
  const { planned, description, facts, error, ffprobeReason } = inspection
  const item = description?.identification
  const lines: [label: string, text: string | null][] = [
    ['file', inspection.path],
    ['library', `${inspection.libraryType}, ${inspection.root}`],
    ['item', item === undefined ? 'none: such a library ignores it' : describeItem(item)],
    ['groups', (description?.groups ?? []).map(({ type, name }) => `${type} "${name}"`).join(' > ')],
    ['role', planned?.role?.kind ?? null],
    ['beside it', planned?.sidecars.join(', ') ?? null],
    ['read by', inspection.readBy],
    ['why ffprobe', ffprobeReason],
    ['unreadable', error === null ? null : `${error.reason} (${error.code})`],
    ...describeMedia(facts),
  ]
  const shown = lines.filter(([, text]) => text !== null && text !== '')
  return shown.map(([label, text]) => `${label.padEnd(12)}${replaceControlCharacters(text ?? '')}`).join('\n')
}

type Item = NonNullable<FileInspection['planned']>['identification']

function describeItem({ type, name, year, seasonNumber, episodeNumber, metadata }: Item): string {
  const numbering = [seasonNumber, episodeNumber].some((number) => typeof number === 'number')
    ? ` season ${seasonNumber ?? '?'}, episode ${episodeNumber ?? '?'}`
    : ''
  const ids = metadata['external_ids'] === undefined ? '' : ` ${JSON.stringify(metadata['external_ids'])}`
  return `${type} "${name}"${year === null ? '' : ` (${year})`}${numbering}${ids}`
}

function describeMedia(facts: FileInspection['facts']): [label: string, text: string | null][] {
  const media = facts?.media
  if (media === undefined || media === null) return []
  const bitrate = media.bitrate === null ? '' : `, ${Math.round(media.bitrate / 1000)} kbit/s`
  return [
    ['container', `${media.container}, ${media.durationSeconds.toFixed(1)} s${bitrate}`],
    ...media.streams.map((stream): [string, string] => [`stream ${stream.index}`, describeStream(stream)]),
    ['chapters', media.chapters.length === 0 ? null : String(media.chapters.length)],
  ]
}

type Stream = NonNullable<NonNullable<FileInspection['facts']>['media']>['streams'][number]

function describeStream({ type, codec, width, height, channels, language, title, isDefault }: Stream): string {
  const facts = [
    codec,
    width === null || height === null ? null : `${width}x${height}`,
    channels === null ? null : `${channels} channels`,
    language,
    title,
    isDefault ? 'default' : null,
  ]
  return [type, ...facts.filter((fact) => fact !== null)].join(' ')
}
