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
  account_pending: {
    kind: 'unauthenticated',
    title: 'Account is waiting for approval',
    doc: 'The password is right, but no administrator has approved the account yet.',
  },
  account_not_pending: {
    kind: 'conflict',
    title: 'Account is not waiting for approval',
    doc: 'Only an account that waits for approval can be rejected; others are disabled or deleted.',
  },
  own_account: {
    kind: 'conflict',
    title: 'Not possible for your own account',
    doc: 'Administrators cannot delete, disable or demote themselves; another administrator can.',
  },
  invalid_refresh_token: {
    kind: 'unauthenticated',
    title: 'Refresh token is expired or invalid',
    doc: 'The refresh token is unknown, expired, revoked, or was used before.',
  },
  account_not_found: {
    kind: 'not_found',
    title: 'Account not found',
    doc: 'No account has this id, username or e-mail address.',
  },
  invalid_avatar: {
    kind: 'invalid',
    title: 'Not a picture that can be shown',
    doc: 'The upload has no file in the field `avatar`, or the file is no JPEG, PNG, WebP, GIF, TIFF or AVIF, is damaged, or has too many pixels.',
  },
  avatar_not_found: {
    kind: 'not_found',
    title: 'Picture not found',
    doc: 'The account has no picture of its own, or another one by now.',
  },
  last_administrator: {
    kind: 'conflict',
    title: 'The last administrator',
    doc: 'The account is the only active administrator; without it no account could administrate the server.',
  },
})
