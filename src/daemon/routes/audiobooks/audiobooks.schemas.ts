import { Type } from 'typebox'
import { FreeObject, Nullable, PageQuery } from '../../http/schemas.ts'
import { ProgressObject } from './audiobook-progress.schemas.ts'

const NullableText = Nullable(Type.String())

export const AudiobookListQuery = Type.Object({ ...PageQuery.properties, library_id: Type.Optional(Type.String()) })

/** Index of the file within the book, from 0. */
export const StreamQuery = Type.Object({
  part: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
})

/** Keys of an audiobook, including those that only some clients read. */
const BookKeys = {
  id: Type.String(),
  library_id: Type.String(),
  name: Type.String(),
  title: Type.String(),
  author: Type.String(),
  narrator: Type.String(),
  series: NullableText,
  year: Nullable(Type.Integer()),
  duration_secs: Type.Integer(),
  duration_ms: Type.Integer(),
  cover_url: NullableText,
  stream_url: Type.String(),
  read_url: Type.String(),
  metadata: FreeObject,
}

export const AudiobookRow = Type.Object({
  ...BookKeys,
  chapter_count: Type.Integer(),
  progress_percent: Type.Number(),
})

export const AudiobookList = Type.Object({
  audiobooks: Type.Array(AudiobookRow),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

export const ChapterRow = Type.Object({
  index: Type.Integer(),
  title: Type.String(),
  start_ms: Type.Integer(),
  end_ms: Type.Integer(),
  duration_ms: Type.Integer(),
})

/** A file of the book, and the span of the book that it covers. */
const PartRow = Type.Object({
  index: Type.Integer(),
  start_ms: Type.Integer(),
  end_ms: Type.Integer(),
  stream_url: Type.String(),
})

const AudiobookFull = Type.Object({ ...BookKeys, chapters: Type.Array(ChapterRow), parts: Type.Array(PartRow) })

export const OneAudiobook = Type.Object({ audiobook: AudiobookFull })

export const ChapterList = Type.Object({ audiobook_id: Type.String(), chapters: Type.Array(ChapterRow) })

/** Reply of `/read` to API clients. */
export const ReadAudiobook = Type.Object({
  audiobook: AudiobookFull,
  metadata: FreeObject,
  progress: Nullable(ProgressObject),
  message: Type.String(),
})

/** `points`: peak levels of equal time spans from start to end, each 0 to 100; null while they are computed. */
export const BookWaveform = Type.Object({
  audiobook_id: Type.String(),
  status: Type.Union([Type.Literal('ready'), Type.Literal('making')]),
  duration_ms: Type.Integer(),
  points: Nullable(Type.Array(Type.Integer())),
})
