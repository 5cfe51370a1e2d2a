import { defineErrors } from '../platform/errors/index.ts'

export const catalogueErrors = defineErrors({
  media_item_not_found: {
    kind: 'not_found',
    title: 'Media item not found',
    doc: 'No media item has this id.',
  },
  invalid_merge: {
    kind: 'invalid',
    title: 'These items cannot be merged',
    doc: 'Items of different types or libraries, of a type without versions, that belong to others already, or none at all; `message` says which, `field` names the list.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A parameter has a form that is not allowed, or two parameters exclude each other; `field` names it.',
  },
})
