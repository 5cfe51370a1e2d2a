import { defineErrors } from '../errors/index.ts'

export const outboundErrors = defineErrors({
  outbound_refused: {
    kind: 'invalid',
    title: 'Address is not allowed',
    doc: 'A request to another server was not sent or not followed: its scheme, port or address is forbidden, or the server redirects where that is not followed.',
  },
  outbound_unreachable: {
    kind: 'unavailable',
    title: 'Server cannot be reached',
    doc: 'Another server could not be found or connected to, showed a bad certificate, or broke off its reply.',
  },
  outbound_timeout: {
    kind: 'unavailable',
    title: 'Server answers too slowly',
    doc: 'Another server did not finish its reply in time.',
  },
  outbound_too_large: {
    kind: 'unavailable',
    title: 'Reply is too large',
    doc: 'The reply of another server is larger than what is read of it.',
  },
})
