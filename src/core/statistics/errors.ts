import { defineErrors } from '../platform/errors/index.ts'

export const statisticsErrors = defineErrors({
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A time of the query is neither a date nor a span before today; `field` names it.',
  },
})
