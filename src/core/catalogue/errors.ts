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
    doc: 'The items have different types or libraries, have a type without versions, or already belong to another item, or the list is empty. `message` has the reason, `field` the name of the list.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A parameter has an invalid value, or two parameters exclude each other; `field` names it.',
  },
})
