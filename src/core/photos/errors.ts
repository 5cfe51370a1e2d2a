import { defineErrors } from '../platform/errors/index.ts'

export const photoErrors = defineErrors({
  photo_not_found: {
    kind: 'not_found',
    title: 'Photo not found',
    doc: 'No photo has this id.',
  },
  photo_album_not_found: {
    kind: 'not_found',
    title: 'Photo album not found',
    doc: 'No photo was taken on this day, or the id is not that of an album.',
  },
})
