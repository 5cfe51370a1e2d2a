import type { BookProgress } from '../../../core/audiobooks/index.ts'

/**
 * A place as the client that saved it counts it, and under names of their own as both count it: within the chapter, and from the start of
 * the book.
 */
export function audiobookProgressView(progress: BookProgress) {
  const { positionMs, bookPositionMs, countsWholeBook } = progress
  return {
    audiobook_id: progress.audiobookId,
    user_id: progress.userId,
    position_ms: countsWholeBook ? bookPositionMs : positionMs,
    chapter_position_ms: positionMs,
    book_position_ms: bookPositionMs,
    current_chapter_index: progress.currentChapterIndex,
    completed_chapters: progress.completedChapters,
    percent_complete: progress.percentComplete,
    last_played_at: Math.floor(progress.lastPlayedAt.getTime() / 1000),
  }
}

/** The same for players that open a book with its files: they count from the start of the book. */
export function openedProgressView(progress: BookProgress) {
  return { ...audiobookProgressView(progress), position_ms: progress.bookPositionMs }
}
