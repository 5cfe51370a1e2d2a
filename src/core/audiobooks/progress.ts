import type { Chapter } from '../catalogue/index.ts'

/** The position of a profile in an audiobook. */
export type AudiobookProgress = {
  audiobookId: string
  profileId: string
  /** Position in milliseconds from the start of the current chapter. */
  positionMs: number
  /** Counted from 0. */
  currentChapterIndex: number
  /** Every chapter before the current one, and the current one if its end is reached. */
  completedChapters: number[]
  percentComplete: number
  /** Whether the client that saved the position counts from the start of the book. Positions are returned to clients in the same way. */
  countsWholeBook: boolean
  lastPlayedAt: Date
}

/** The progress with the position from the start of the book added, in milliseconds. */
export type BookProgress = AudiobookProgress & { bookPositionMs: number }

/** The fields of an audiobook that the rules below need. */
export type BookTimes = { chapters: readonly Chapter[]; durationSeconds: number | null }

type Position = Pick<AudiobookProgress, 'positionMs' | 'currentChapterIndex'>
type Span = Pick<Chapter, 'startSeconds' | 'endSeconds'>

/** Players stop slightly before the end. */
const END_TOLERANCE_MS = 1000

/** The number of chapters for a listener: a file without chapter marks is one chapter. */
export function countChapters({ chapters }: BookTimes): number {
  return Math.max(chapters.length, 1)
}

/**
 * The progress for a position: the position is clamped to its chapter, and chapters and percentage are derived from the position alone,
 * so that reports may arrive in any order. Seeking backwards removes later chapters from the completed ones.
 * @param place with an index below `countChapters`
 */
export function measureProgress(
  book: BookTimes,
  place: Position,
): Pick<AudiobookProgress, 'positionMs' | 'completedChapters' | 'percentComplete'> {
  const spans = spansOf(book)
  const span = spans[place.currentChapterIndex] ?? { startSeconds: 0, endSeconds: Infinity }
  const lengthMs = lengthMsOf(span)
  const positionMs = Math.min(place.positionMs, lengthMs)
  const isAtEnd = positionMs > 0 && positionMs >= lengthMs - END_TOLERANCE_MS
  const completed = place.currentChapterIndex + (isAtEnd ? 1 : 0)
  const isBookDone = completed === spans.length
  return {
    positionMs,
    completedChapters: Array.from({ length: completed }, (_, index) => index),
    percentComplete: isBookDone ? 100 : percentOf(span.startSeconds + positionMs / 1000, spans.at(-1)?.endSeconds),
  }
}

/** A position as a client sends it; `percentComplete` is the percentage of the book according to the client, unchecked. */
export type ClientPosition = Position & { percentComplete?: unknown }

/**
 * The position within its chapter, and whether the client counted it from the start of the book. A position that is longer than the chapter
 * is counted from the start of the book. A shorter position is relative to the chapter; but if it lies in this chapter also when it is
 * counted from the start of the book, the percentage of the client decides.
 */
export function positionInChapter(book: BookTimes, given: ClientPosition): Position & { countsWholeBook: boolean } {
  const { positionMs, currentChapterIndex } = given
  const spans = spansOf(book)
  const span = spans[currentChapterIndex] ?? { startSeconds: 0, endSeconds: Infinity }
  const [startMs, lengthMs] = [startMsOf(span), lengthMsOf(span)]
  const inChapter = { positionMs, currentChapterIndex, countsWholeBook: false }
  const inBook = { positionMs: positionMs - startMs, currentChapterIndex, countsWholeBook: true }
  const liesInBook = positionMs >= startMs && positionMs <= startMs + lengthMs
  if (positionMs <= lengthMs) return liesInBook && saysWholeBook(spans, { ...given, startMs }) ? inBook : inChapter
  if (liesInBook) return inBook
  // Players round the end of a chapter.
  if (positionMs <= lengthMs + END_TOLERANCE_MS) return inChapter
  const index = chapterAt(spans, positionMs)
  return {
    positionMs: positionMs - startMsOf(spans[index] ?? span),
    currentChapterIndex: index,
    countsWholeBook: true,
  }
}

/** Maximum difference between the percentages of the client and of the server; the server knows the duration more exactly. */
const PERCENT_TOLERANCE = 1

/** Clients without a percentage send 0, which is ignored. */
function saysWholeBook(
  spans: readonly Span[],
  { positionMs, percentComplete, startMs }: ClientPosition & { startMs: number },
): boolean {
  const totalMs = Math.round((spans.at(-1)?.endSeconds ?? 0) * 1000)
  const isEvidence = typeof percentComplete === 'number' && percentComplete > 0 && percentComplete <= 100
  if (!isEvidence || startMs === 0) return false
  const distance = (ms: number): number => Math.abs(percentComplete - (ms / totalMs) * 100)
  return distance(positionMs) <= PERCENT_TOLERANCE && distance(positionMs) < distance(startMs + positionMs)
}

/** A saved position, with the position from the start of the book. */
export function positionInBook(book: BookTimes, progress: AudiobookProgress): BookProgress {
  const span = spansOf(book)[progress.currentChapterIndex]
  return { ...progress, bookPositionMs: progress.positionMs + (span === undefined ? 0 : startMsOf(span)) }
}

/**
 * Maps a saved position to the current chapters, which differ if a file was replaced. If the chapter no longer exists or is shorter than
 * the position, the time in the whole book determines the new chapter and the other fields.
 */
export function mapProgressToChapters(book: BookTimes, saved: AudiobookProgress): AudiobookProgress {
  const spans = spansOf(book)
  const span = spans[saved.currentChapterIndex]
  if (span !== undefined && saved.positionMs <= lengthMsOf(span)) return saved
  const totalSeconds = spans.at(-1)?.endSeconds ?? Infinity
  const seconds = totalSeconds === Infinity ? 0 : (saved.percentComplete / 100) * totalSeconds
  const currentChapterIndex = chapterAt(spans, seconds * 1000)
  const { startSeconds } = spans[currentChapterIndex] ?? { startSeconds: 0 }
  const positionMs = Math.max(Math.round((seconds - startSeconds) * 1000), 0)
  return { ...saved, currentChapterIndex, ...measureProgress(book, { currentChapterIndex, positionMs }) }
}

/** The chapter at a time of the book; the first one before it begins. */
function chapterAt(spans: readonly Span[], bookPositionMs: number): number {
  const index = spans.findLastIndex((span) => startMsOf(span) <= bookPositionMs)
  return Math.max(index, 0)
}

/** Start of a chapter in milliseconds, rounded as clients see it. */
function startMsOf({ startSeconds }: Pick<Span, 'startSeconds'>): number {
  return Math.round(startSeconds * 1000)
}

/** Length of a chapter in milliseconds, between its start and end as clients see them. */
function lengthMsOf({ startSeconds, endSeconds }: Span): number {
  return Math.round(endSeconds * 1000) - startMsOf({ startSeconds })
}

/** The time ranges of the chapters. The last one reaches to the end of the file; if the duration is unknown, it has no end. */
function spansOf({ chapters, durationSeconds }: BookTimes): Span[] {
  const last = chapters.at(-1) ?? { startSeconds: 0, endSeconds: 0 }
  const end = Math.max(last.endSeconds, durationSeconds ?? 0)
  return [...chapters.slice(0, -1), { startSeconds: last.startSeconds, endSeconds: end > 0 ? end : Infinity }]
}

/** Two decimals; 0 if the duration is unknown. */
function percentOf(seconds: number, totalSeconds = Infinity): number {
  return Math.min(Math.round((seconds / totalSeconds) * 10_000) / 100, 100)
}
