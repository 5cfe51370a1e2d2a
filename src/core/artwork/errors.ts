import { defineErrors } from '../platform/errors/index.ts'

export const artworkErrors = defineErrors({
  artwork_not_found: {
    kind: 'not_found',
    title: 'Picture not found',
    doc: 'Nothing has a picture with this id, or the picture cannot be read or fetched at the moment.',
  },
})
