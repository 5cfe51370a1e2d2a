import { catalogueErrors } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { audiobookErrors } from './errors.ts'
import { getAudiobook } from './find-audiobook.ts'
import { findProgress } from './find-progress.ts'
import {
  countChapters,
  measureProgress,
  positionInBook,
  positionInChapter,
  type AudiobookProgress,
  type ClientPosition,
  type BookProgress,
} from './progress.ts'
import { upsertProgress } from './queries/progress.ts'

type Address = Pick<AudiobookProgress, 'audiobookId' | 'profileId'>

/**
 * Stores the position of a profile in an audiobook and returns the resulting progress.
 * @param input.positionMs whole and not negative; `positionInChapter` decides what it is relative to
 * @throws AppError `audiobook_not_found`; `invalid_request` for a chapter that the book does not have
 */
export async function saveProgress(
  { db, clock }: { db: Database; clock: Clock },
  { audiobookId, profileId, ...given }: Address & ClientPosition,
): Promise<BookProgress> {
  const book = await getAudiobook({ db }, audiobookId)
  const chapters = countChapters(book)
  if (given.currentChapterIndex >= chapters) {
    throw catalogueErrors.invalid_request({
      message: `current_chapter_index must be below ${chapters}, the number of chapters`,
      details: { field: 'current_chapter_index' },
    })
  }
  const place = positionInChapter(book, given)
  const row = { audiobookId, profileId, ...place, ...measureProgress(book, place), lastPlayedAt: clock.now() }
  const saved = await upsertProgress(db, row)
  if (saved === undefined) throw audiobookErrors.audiobook_not_found()
  return positionInBook(book, saved)
}

/**
 * The progress of a profile in an audiobook, mapped to its current chapters.
 * @throws AppError `audiobook_not_found`, `audiobook_progress_not_found`
 */
export async function getAudiobookProgress({ db }: { db: Database }, address: Address): Promise<BookProgress> {
  const book = await getAudiobook({ db }, address.audiobookId)
  const progress = await findProgress({ db }, { book, profileId: address.profileId })
  if (progress === undefined) throw audiobookErrors.audiobook_progress_not_found()
  return progress
}
