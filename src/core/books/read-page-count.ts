import type { Book } from './book.ts'

/** The number of pages in the metadata of a book; 0 if unknown. */
export function readPageCount({ metadata }: Pick<Book, 'metadata'>): number {
  const count = metadata['page_count']
  return Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : 0
}
