import type { ItemWrite, StreamWrite } from '../../catalogue/index.ts'
import type { ProbedBook, FileFacts, ProbedStream } from '../../probing/index.ts'
import type { FileReadEvent } from '../job/scan-event.ts'
import type { ScanState } from '../job/scan-state.ts'

/** Converts a file to a catalogue write: facts from its name, headers, tags and sidecars. */
export function toItemWrite({ job, kind }: Pick<ScanState, 'job' | 'kind'>, file: FileReadEvent): ItemWrite {
  const { path, sizeBytes, modifiedAtNanoseconds, canonicalKey, planned, sidecarHash, outcome } = file
  const facts = outcome.kind === 'read' ? outcome.facts : null
  const local = outcome.kind === 'gone' ? [] : outcome.local
  const { identification, groups, nameSource, localMetadata, chapters } = kind.describe(planned, facts, local)
  const source = facts?.media?.source ?? null
  return {
    ...identification,
    libraryId: job.libraryId,
    path,
    sizeBytes,
    modifiedAtNanoseconds,
    canonicalKey,
    sidecarHash,
    groups,
    nameSource,
    localMetadata,
    role: planned.role?.kind ?? null,
    metadata: source === null ? identification.metadata : { ...identification.metadata, source },
    ...mediaOf(facts),
    ...(chapters !== undefined && { chapters }),
    contentHash: outcome.kind === 'read' ? outcome.contentHash : null,
    probeError: outcome.kind === 'unreadable' ? outcome.reason : null,
  }
}

type MediaWrite = Pick<ItemWrite, 'durationSeconds' | 'container' | 'bitrate' | 'chapters' | 'streams'>

function mediaOf(facts: FileFacts | null): MediaWrite {
  const media = facts?.media ?? null
  if (media === null) {
    return { ...NO_MEDIA, container: facts === null ? null : formatOf(facts), streams: coverOf(facts?.book) }
  }
  const { durationSeconds, container, bitrate, chapters, streams } = media
  return { durationSeconds, container, bitrate, chapters, streams: streams.map(toStreamWrite) }
}

const NO_MEDIA = { durationSeconds: null, bitrate: null, chapters: [] }

/** The cover of a book, represented like embedded pictures of audio files, so that its address is published only if there is one. */
function coverOf(book: ProbedBook | undefined): StreamWrite[] {
  return book === undefined || book.cover === null ? [] : [{ ...PICTURE, details: {} }]
}

const PICTURE = {
  index: 0,
  type: 'attachment',
  codec: null,
  language: null,
  title: null,
  bitrate: null,
  width: null,
  height: null,
  channels: null,
  isDefault: false,
} as const

/** Format detected from the content, not from the name: `jpeg`, `epub`. */
function formatOf({ photo, book }: FileFacts): string | null {
  return photo?.mime.replace(/^image\//, '') ?? book?.format ?? null
}

/** Properties without a column of their own are stored under `details`. */
export function toStreamWrite(stream: ProbedStream): StreamWrite {
  const { index, type, codec, language, title, bitrate, width, height, channels, isDefault, ...details } = stream
  return { index, type, codec, language, title, bitrate, width, height, channels, isDefault, details }
}
