import { defineErrors } from '../errors/index.ts'

export const outboundErrors = defineErrors({
  outbound_refused: {
    kind: 'invalid',
    title: 'Address is not allowed',
    doc: 'A request to another server was not sent, or a redirect was not followed: the scheme, port or address is forbidden, or redirects are not permitted.',
  },
  outbound_unreachable: {
    kind: 'unavailable',
    title: 'Server cannot be reached',
    doc: 'The name of another server could not be resolved, the connection failed, its certificate is invalid, or its reply ended early.',
  },
  outbound_timeout: {
    kind: 'unavailable',
    title: 'Server answers too slowly',
    doc: 'Another server did not finish its reply in time.',
  },
  outbound_too_large: {
    kind: 'unavailable',
    title: 'Reply is too large',
    doc: 'The reply of another server exceeds the size limit.',
  },
})
