import { defineErrors } from '../platform/errors/index.ts'

/** The codes of a device that polls are those of RFC 8628, 3.5. */
export const quickConnectErrors = defineErrors({
  authorization_pending: {
    kind: 'invalid',
    title: 'Nobody has approved the code yet',
    doc: 'The device asks again after `interval` seconds.',
  },
  slow_down: {
    kind: 'invalid',
    title: 'The device asks too often',
    doc: 'The device waits for `interval` seconds from now on, five more than before.',
  },
  access_denied: {
    kind: 'invalid',
    title: 'The sign-in was denied',
    doc: 'The person who entered the code has denied the sign-in.',
  },
  expired_token: {
    kind: 'invalid',
    title: 'The code has expired',
    doc: 'The code is unknown, expired or used, or another device has asked for it.',
  },
  code_not_found: {
    kind: 'not_found',
    title: 'No device waits with this code',
    doc: 'The code is mistyped, expired or used.',
  },
  too_many_codes: {
    kind: 'limited',
    title: 'Too many devices wait for a code',
    doc: 'Three codes of this address are open; the message and `Retry-After` say when the first of them expires.',
  },
})
