import { catalogueErrors, getItem, type MediaItemDetail } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { audiobookErrors } from './errors.ts'
import { countChapters, measureProgress, type AudiobookProgress } from './progress.ts'
import { selectProgress, upsertProgress } from './queries/progress.ts'

type Address = Pick<AudiobookProgress, 'audiobookId' | 'userId'>

/**
 * Notes where a user is in an audiobook and answers what that means.
 * @param input.positionMs within the chapter, whole and not negative; beyond the chapter's end it counts as the end
 * @throws AppError `audiobook_not_found`; `invalid_request` for a chapter that the book does not have
 */
export async function saveProgress(
  { db, clock }: { db: Database; clock: Clock },
  input: Address & Pick<AudiobookProgress, 'positionMs' | 'currentChapterIndex'>,
): Promise<AudiobookProgress> {
  const book = await findAudiobook(db, input.audiobookId)
  const chapters = countChapters(book)
  if (input.currentChapterIndex >= chapters) {
    throw catalogueErrors.invalid_request({
      message: `current_chapter_index must be below ${chapters}, the number of chapters`,
      details: { field: 'current_chapter_index' },
    })
  }
  const measured = measureProgress(book, input)
  const saved = await upsertProgress(db, { ...input, ...measured, lastPlayedAt: clock.now() })
  if (saved === undefined) throw audiobookErrors.audiobook_not_found()
  return saved
}

/**
 * Where a user is in an audiobook.
 * @throws AppError `audiobook_not_found`, `audiobook_progress_not_found`
 */
export async function getAudiobookProgress({ db }: { db: Database }, address: Address): Promise<AudiobookProgress> {
  const book = await findAudiobook(db, address.audiobookId)
  const progress = await selectProgress(db, { ...address, audiobookId: book.id })
  if (progress === undefined) throw audiobookErrors.audiobook_progress_not_found()
  return progress
}

async function findAudiobook(db: Database, id: string): Promise<MediaItemDetail> {
  try {
    const item = await getItem({ db }, id)
    if (item.type === 'audiobook') return item
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'media_item_not_found') throw error
  }
  throw audiobookErrors.audiobook_not_found()
}
