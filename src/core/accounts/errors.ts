import { defineErrors } from '../platform/errors/index.ts'

export const accountErrors = defineErrors({
  validation_failed: {
    kind: 'invalid',
    title: 'Validation failed',
    doc: 'A username, e-mail address or password breaks a rule; `fields` says which and why.',
  },
  invalid_credentials: {
    kind: 'unauthenticated',
    title: 'Invalid credentials',
    doc: 'The name or the password is wrong; which of them is not said.',
  },
  account_disabled: {
    kind: 'unauthenticated',
    title: 'Account is disabled',
    doc: 'The password is right, but an administrator has disabled the account.',
  },
  invalid_refresh_token: {
    kind: 'unauthenticated',
    title: 'Refresh token is expired or invalid',
    doc: 'The refresh token is unknown, expired, revoked, or was used before.',
  },
  account_not_found: {
    kind: 'not_found',
    title: 'Account not found',
    doc: 'No account has this username or e-mail address.',
  },
  last_administrator: {
    kind: 'conflict',
    title: 'The last administrator',
    doc: 'The account is the only active administrator; disabled or demoted, nobody could administrate the server.',
  },
})
