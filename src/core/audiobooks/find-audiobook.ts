import { z } from 'zod'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Audiobook } from './audiobook.ts'
import { readBookFiles, type BookFile } from './book-files.ts'
import { audiobookErrors } from './errors.ts'
import { findProgress } from './find-progress.ts'
import type { BookProgress } from './progress.ts'
import { selectAudiobook } from './queries/read.ts'

const Id = z.guid()

/**
 * Reads one book with its chapters.
 * @throws AppError `audiobook_not_found`, also for a file of a book. An id that is not a UUID causes no query
 */
export async function getAudiobook({ db }: { db: Connection }, id: string): Promise<Audiobook> {
  const book = Id.safeParse(id).success ? await selectAudiobook(db, id) : undefined
  if (book === undefined) throw audiobookErrors.audiobook_not_found()
  return book
}

/** A book with the data that a player needs at the start; `progress`: null without progress or without a profile. */
export type OpenedAudiobook = { book: Audiobook; files: BookFile[]; progress: BookProgress | null }

/**
 * One book with its files, and the progress of this user.
 * @throws AppError `audiobook_not_found`
 */
export async function openAudiobook(
  { db }: { db: Database },
  { id, profileId }: { id: string; profileId?: string | undefined },
): Promise<OpenedAudiobook> {
  const book = await getAudiobook({ db }, id)
  const files = await readBookFiles({ db }, book)
  const progress = profileId === undefined ? undefined : await findProgress({ db }, { book, profileId })
  return { book, files, progress: progress ?? null }
}
