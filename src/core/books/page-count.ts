import type { Book } from './book.ts'

/** How many pages a book says it has; 0 when it does not. */
export function pageCountOf({ metadata }: Pick<Book, 'metadata'>): number {
  const count = metadata['page_count']
  return Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : 0
}
