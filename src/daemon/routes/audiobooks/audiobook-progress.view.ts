import type { BookProgress } from '../../../core/audiobooks/index.ts'

/** `user_id` is the profile, whose id is that of the account for the main one. The position is in the client’s own reckoning, and under separate keys relative to the chapter and relative to the start of the book. */
export function audiobookProgressView(progress: BookProgress) {
  const { positionMs, bookPositionMs, countsWholeBook } = progress
  return {
    audiobook_id: progress.audiobookId,
    user_id: progress.profileId,
    position_ms: countsWholeBook ? bookPositionMs : positionMs,
    chapter_position_ms: positionMs,
    book_position_ms: bookPositionMs,
    current_chapter_index: progress.currentChapterIndex,
    completed_chapters: progress.completedChapters,
    percent_complete: progress.percentComplete,
    last_played_at: Math.floor(progress.lastPlayedAt.getTime() / 1000),
  }
}

/** The progress for players that open a book with its files: the position is relative to the start of the book. */
export function openedProgressView(progress: BookProgress) {
  return { ...audiobookProgressView(progress), position_ms: progress.bookPositionMs }
}
