import { defineErrors } from '../platform/errors/index.ts'

export const audiobookErrors = defineErrors({
  audiobook_not_found: {
    kind: 'not_found',
    title: 'Audiobook not found',
    doc: 'No audiobook has this id; other media items are no audiobooks.',
  },
  audiobook_progress_not_found: {
    kind: 'not_found',
    title: 'No progress for this audiobook',
    doc: 'The user has not listened to this audiobook yet.',
  },
})
