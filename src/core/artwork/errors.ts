import { defineErrors } from '../platform/errors/index.ts'

export const artworkErrors = defineErrors({
  artwork_not_found: {
    kind: 'not_found',
    title: 'Picture not found',
    doc: 'No item, album or artist has a picture with this id, or the picture cannot be read or fetched now.',
  },
  invalid_poster: {
    kind: 'invalid',
    title: 'Not a picture that can be a poster',
    doc: 'The file is not a JPEG, PNG or WebP, is damaged, is larger than 32 MiB, has too many pixels or fewer than 100 a side, or the item is a photo; the message has the reason. Nothing is changed.',
  },
  artwork_server_silent: {
    kind: 'unavailable',
    title: 'Picture server is suspended',
    doc: 'The server of a picture did not answer, so no requests are sent to it for one minute. Only in the log: the API answers `artwork_not_found`.',
  },
})
