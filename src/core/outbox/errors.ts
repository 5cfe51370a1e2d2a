import { defineErrors } from '../platform/errors/index.ts'

export const deliveryErrors = defineErrors({
  delivery_not_found: { kind: 'not_found', title: 'Delivery not found', doc: 'No delivery of a webhook has this id.' },
  delivery_pending: {
    kind: 'conflict',
    title: 'Delivery is pending',
    doc: 'The delivery waits for an attempt, or an attempt is running; it can be sent again after that.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A field of the query has an invalid value; `field` names it.',
  },
})
