import { z } from 'zod'
import { catalogueErrors, checkPage, type Page, type PageRequest } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Book } from './book.ts'
import { selectBooks } from './queries/read.ts'

const Id = z.guid()

/** Every field is optional; a blank `libraryId` is no filter. */
export type BookFilter = PageRequest & { libraryId?: string | undefined }

/**
 * A page of the books by name. Other formats of a book are not listed.
 * @throws AppError `invalid_request` for a library id that is not a UUID
 */
export async function listBooks(
  { db }: { db: Connection },
  { libraryId, ...request }: BookFilter,
): Promise<Page & { books: Book[] }> {
  const wanted = (libraryId ?? '').trim()
  if (wanted !== '' && !Id.safeParse(wanted).success) {
    throw catalogueErrors.invalid_request({ message: 'library_id must be a UUID', details: { field: 'library_id' } })
  }
  const page = checkPage(request)
  return { books: await selectBooks(db, { libraryId: wanted === '' ? null : wanted, ...page }), ...page }
}
