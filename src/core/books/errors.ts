import { defineErrors } from '../platform/errors/index.ts'

export const bookErrors = defineErrors({
  book_not_found: {
    kind: 'not_found',
    title: 'Book not found',
    doc: 'No book has this id; audiobooks and items of other types are not found.',
  },
  book_progress_not_found: {
    kind: 'not_found',
    title: 'No progress for this book',
    doc: 'The user has not read this book yet.',
  },
})
