import { z } from 'zod'
import { openItemFile } from '../catalogue/index.ts'
import type { GetLibraryPaths } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { BookDetail } from './book.ts'
import { bookErrors } from './errors.ts'
import { selectBook, selectFormats } from './queries/read.ts'

const Id = z.guid()

/**
 * Reads a book by the id of any of its formats, with its other formats.
 * @throws AppError `book_not_found`. An id that is not a UUID causes no query
 */
export async function getBook({ db }: { db: Connection }, id: string): Promise<BookDetail> {
  const book = Id.safeParse(id).success ? await selectBook(db, id) : undefined
  if (book === undefined) throw bookErrors.book_not_found()
  const { id: itself, path, sizeBytes } = book
  return { ...book, formats: [{ id: itself, path, sizeBytes }, ...(await selectFormats(db, id))] }
}

/**
 * Opens the file of a book, after proof that it lies inside its library; the caller closes it.
 * @throws AppError `book_not_found`, `file_not_found`, `path_outside_root` and the errors of opening
 */
export async function openBook(
  services: { db: Connection; getLibraryPaths: GetLibraryPaths },
  id: string,
): ReturnType<typeof openItemFile> {
  return openItemFile(services, await getBook(services, id))
}
