import { defineErrors } from '../platform/errors/index.ts'

export const artworkErrors = defineErrors({
  artwork_not_found: {
    kind: 'not_found',
    title: 'Picture not found',
    doc: 'Nothing has a picture with this id, or the picture cannot be read or fetched at the moment.',
  },
  artwork_server_silent: {
    kind: 'unavailable',
    title: 'Picture server is left alone',
    doc: 'The server that has a picture did not answer a moment ago, so it is not asked for a minute. Stands in the log only: the answer is `artwork_not_found`.',
  },
})
