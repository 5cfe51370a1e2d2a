import { defineErrors } from '../platform/errors/index.ts'

export const artworkErrors = defineErrors({
  artwork_not_found: {
    kind: 'not_found',
    title: 'Picture not found',
    doc: 'Nothing has a picture with this id, or the picture cannot be read or fetched at the moment.',
  },
  invalid_poster: {
    kind: 'invalid',
    title: 'Not a picture that can be a poster',
    doc: 'The file is no JPEG, PNG or WebP, is damaged, has more than 32 MiB, too many pixels or fewer than 100 a side, or the item is a photo; the message says which. Nothing is changed.',
  },
  artwork_server_silent: {
    kind: 'unavailable',
    title: 'Picture server is left alone',
    doc: 'The server that has a picture did not answer a moment ago, so it is not asked for a minute. Stands in the log only: the answer is `artwork_not_found`.',
  },
})
