import type { AudiobookProgress } from '../../../core/audiobooks/index.ts'

/** Document 1, Audiobook progress. */
export function audiobookProgressView(progress: AudiobookProgress) {
  return {
    audiobook_id: progress.audiobookId,
    user_id: progress.userId,
    position_ms: progress.positionMs,
    current_chapter_index: progress.currentChapterIndex,
    completed_chapters: progress.completedChapters,
    percent_complete: progress.percentComplete,
    last_played_at: Math.floor(progress.lastPlayedAt.getTime() / 1000),
  }
}
