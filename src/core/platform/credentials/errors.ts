import { defineErrors } from '../errors/index.ts'

export const credentialErrors = defineErrors({
  sign_in_busy: {
    kind: 'busy',
    title: 'Too many sign-ins at the same time',
    doc: 'More passwords wait to be checked than the server checks in about two seconds; `Retry-After` is the number of seconds to wait.',
  },
  login_abandoned: {
    kind: 'busy',
    title: 'The client has gone',
    doc: 'The connection of a login ended while the login waited; the password was not checked. Only in the log.',
  },
})
