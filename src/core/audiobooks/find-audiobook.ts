import { z } from 'zod'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Audiobook } from './audiobook.ts'
import { readBookFiles, type BookFile } from './book-files.ts'
import { audiobookErrors } from './errors.ts'
import { findProgress } from './find-progress.ts'
import type { PlacedProgress } from './progress.ts'
import { selectAudiobook } from './queries/read.ts'

const Id = z.guid()

/**
 * One book with its chapters.
 * @throws AppError `audiobook_not_found`, for an id that is no UUID without a query; files of a book are no books
 */
export async function getAudiobook({ db }: { db: Connection }, id: string): Promise<Audiobook> {
  const book = Id.safeParse(id).success ? await selectAudiobook(db, id) : undefined
  if (book === undefined) throw audiobookErrors.audiobook_not_found()
  return book
}

/** A book with everything that a player begins with; `progress`: null for who has not listened, or is nobody. */
export type OpenedAudiobook = { book: Audiobook; files: BookFile[]; progress: PlacedProgress | null }

/**
 * One book with its files, and where this user is in it.
 * @throws AppError `audiobook_not_found`
 */
export async function openAudiobook(
  { db }: { db: Database },
  { id, userId }: { id: string; userId?: string | undefined },
): Promise<OpenedAudiobook> {
  const book = await getAudiobook({ db }, id)
  const files = await readBookFiles({ db }, book)
  const progress = userId === undefined ? undefined : await findProgress({ db }, { book, userId })
  return { book, files, progress: progress ?? null }
}
