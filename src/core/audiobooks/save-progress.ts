import { catalogueErrors } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { audiobookErrors } from './errors.ts'
import { getAudiobook } from './find-audiobook.ts'
import { findProgress } from './find-progress.ts'
import { countChapters, measureProgress, placeInChapter, type AudiobookProgress } from './progress.ts'
import { upsertProgress } from './queries/progress.ts'

type Address = Pick<AudiobookProgress, 'audiobookId' | 'userId'>

/**
 * Notes where a user is in an audiobook and answers what that means.
 * @param input.positionMs within the chapter, whole and not negative; beyond the chapter's end see `placeInChapter`
 * @throws AppError `audiobook_not_found`; `invalid_request` for a chapter that the book does not have
 */
export async function saveProgress(
  { db, clock }: { db: Database; clock: Clock },
  input: Address & Pick<AudiobookProgress, 'positionMs' | 'currentChapterIndex'>,
): Promise<AudiobookProgress> {
  const book = await getAudiobook({ db }, input.audiobookId)
  const chapters = countChapters(book)
  if (input.currentChapterIndex >= chapters) {
    throw catalogueErrors.invalid_request({
      message: `current_chapter_index must be below ${chapters}, the number of chapters`,
      details: { field: 'current_chapter_index' },
    })
  }
  const measured = measureProgress(book, placeInChapter(book, input))
  const saved = await upsertProgress(db, { ...input, ...measured, lastPlayedAt: clock.now() })
  if (saved === undefined) throw audiobookErrors.audiobook_not_found()
  return saved
}

/**
 * Where a user is in an audiobook, among the chapters that it has now.
 * @throws AppError `audiobook_not_found`, `audiobook_progress_not_found`
 */
export async function getAudiobookProgress({ db }: { db: Database }, address: Address): Promise<AudiobookProgress> {
  const book = await getAudiobook({ db }, address.audiobookId)
  const progress = await findProgress({ db }, { book, userId: address.userId })
  if (progress === undefined) throw audiobookErrors.audiobook_progress_not_found()
  return progress
}
