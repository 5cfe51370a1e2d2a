import type { Chapter } from '../catalogue/index.ts'

/** Where a user is in an audiobook (document 1, Audiobook progress). */
export type AudiobookProgress = {
  audiobookId: string
  userId: string
  /** Within the current chapter. */
  positionMs: number
  /** From 0. */
  currentChapterIndex: number
  /** Every chapter before the current one, and that one too when its end is reached. */
  completedChapters: number[]
  percentComplete: number
  lastPlayedAt: Date
}

/** What of an audiobook's file the rules below need. */
export type BookTimes = { chapters: readonly Chapter[]; durationSeconds: number | null }

type Place = Pick<AudiobookProgress, 'positionMs' | 'currentChapterIndex'>
type Span = Pick<Chapter, 'startSeconds' | 'endSeconds'>

/** Players stop a moment short of the end. */
const END_TOLERANCE_MS = 1000

/** How many chapters a book has for a listener: a file without marks is one chapter. */
export function countChapters({ chapters }: BookTimes): number {
  return Math.max(chapters.length, 1)
}

/**
 * What a place in a book means: the position is cut at the end of its chapter, and chapters and percentage follow from the place
 * alone, so that reports may arrive in any order. Going back undoes what was completed after.
 * @param place with an index below `countChapters`
 */
export function measureProgress(
  book: BookTimes,
  place: Place,
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

/**
 * The place as the contract counts it. One client sends the position in the whole book (document 4, 9): a position that the chapter is
 * too short for, but that lies in it when counted from the start of the book, is taken for that. Everything else is left as it is.
 */
export function placeInChapter(book: BookTimes, place: Place): Place {
  const { startSeconds, endSeconds } = spansOf(book)[place.currentChapterIndex] ?? { startSeconds: 0, endSeconds: 0 }
  const [startMs, endMs] = [Math.round(startSeconds * 1000), Math.round(endSeconds * 1000)]
  const isWithin = place.positionMs <= endMs - startMs
  const isInBook = place.positionMs >= startMs && place.positionMs <= endMs
  return isWithin || !isInBook ? place : { ...place, positionMs: place.positionMs - startMs }
}

/**
 * A saved place in the book as it is now. A file may have been replaced by one with other chapters: a place in a chapter that is gone, or
 * beyond the end of its own, is brought to where it was in the whole, and the rest is measured anew.
 */
export function fitProgress(book: BookTimes, saved: AudiobookProgress): AudiobookProgress {
  const spans = spansOf(book)
  const span = spans[saved.currentChapterIndex]
  if (span !== undefined && saved.positionMs <= lengthMsOf(span)) return saved
  const totalSeconds = spans.at(-1)?.endSeconds ?? Infinity
  const seconds = totalSeconds === Infinity ? 0 : (saved.percentComplete / 100) * totalSeconds
  const currentChapterIndex = Math.max(
    spans.findLastIndex(({ startSeconds }) => startSeconds <= seconds),
    0,
  )
  const { startSeconds } = spans[currentChapterIndex] ?? { startSeconds: 0 }
  const positionMs = Math.max(Math.round((seconds - startSeconds) * 1000), 0)
  return { ...saved, currentChapterIndex, ...measureProgress(book, { currentChapterIndex, positionMs }) }
}

function lengthMsOf({ startSeconds, endSeconds }: Span): number {
  return Math.round((endSeconds - startSeconds) * 1000)
}

/** The chapters in time. The last one reaches to the end of the file; where nothing says how long it is, it has no end. */
function spansOf({ chapters, durationSeconds }: BookTimes): Span[] {
  const last = chapters.at(-1) ?? { startSeconds: 0, endSeconds: 0 }
  const end = Math.max(last.endSeconds, durationSeconds ?? 0)
  return [...chapters.slice(0, -1), { startSeconds: last.startSeconds, endSeconds: end > 0 ? end : Infinity }]
}

/** Two decimals; 0 where the length is not known. */
function percentOf(seconds: number, totalSeconds = Infinity): number {
  return Math.min(Math.round((seconds / totalSeconds) * 10_000) / 100, 100)
}
