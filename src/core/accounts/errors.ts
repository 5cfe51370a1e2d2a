import { defineErrors } from '../platform/errors/index.ts'

export const accountErrors = defineErrors({
  validation_failed: {
    kind: 'invalid',
    title: 'Validation failed',
    doc: 'A username, e-mail address or password violates a rule; `fields` has the reasons.',
  },
  download_not_permitted: {
    kind: 'forbidden',
    title: 'Downloads are not permitted',
    doc: 'The account has no permission to download. This also applies to guests of its share links.',
  },
  sign_in_not_found: {
    kind: 'not_found',
    title: 'Session not found',
    doc: 'No active session has this id.',
  },
  device_not_found: {
    kind: 'not_found',
    title: 'Device not found',
    doc: 'No signed-in device of the account has this id.',
  },
  setup_code_required: {
    kind: 'forbidden',
    title: 'Setup code required',
    doc: 'The server has no account yet. The first account becomes administrator. It is created on the server itself, or with the `setup_code` that `serve` and `phlix setup:code` print.',
  },
  setup_done: {
    kind: 'conflict',
    title: 'An account already exists',
    doc: 'A setup code is valid for the first account only; further accounts are created by an administrator or by registration.',
  },
  registration_closed: {
    kind: 'forbidden',
    title: 'Registration is closed',
    doc: 'The setting `accounts.registration` does not permit this caller to register, or the invite cannot be used: `reason` has `invite_unknown`, `invite_used`, `invite_revoked` or `invite_expired`.',
  },
  invite_not_found: { kind: 'not_found', title: 'Invite not found', doc: 'No invite has this id.' },
  invite_unknown: {
    kind: 'forbidden',
    title: 'Invite is not valid',
    doc: 'No invite has this code: the link was mistyped or is incomplete, or the invite was revoked more than a month ago.',
  },
  invite_used: {
    kind: 'gone',
    title: 'Invite is used up',
    doc: 'As many accounts were created with the invite as it permits. An administrator makes a new one.',
  },
  invite_revoked: {
    kind: 'gone',
    title: 'Invite was revoked',
    doc: 'An administrator has revoked the invite.',
  },
  invite_expired: {
    kind: 'gone',
    title: 'Invite has expired',
    doc: 'The time of the invite is over. An administrator makes a new one.',
  },
  invalid_credentials: {
    kind: 'unauthenticated',
    title: 'Invalid credentials',
    doc: 'The name or the password is wrong; the reply does not say which.',
  },
  sign_in_provider_unavailable: {
    kind: 'unauthenticated',
    title: 'Invalid credentials, or a sign-in service does not answer',
    doc: 'The local password is wrong, and an authentication plugin did not return a valid answer. The reply is the same for every name, so it does not reveal which accounts exist. Accounts whose local password is correct are not affected.',
  },
  sign_in_without_account: {
    kind: 'forbidden',
    title: 'No account belongs to this person',
    doc: 'The sign-in provider has authenticated a person who has no account here, and the configuration or a rule of accounts does not allow a new one; the message has the reason.',
  },
  sign_in_link_not_found: {
    kind: 'not_found',
    title: 'The account is not linked',
    doc: 'The account has no link to a person of a sign-in provider.',
  },
  sign_in_link_exists: {
    kind: 'conflict',
    title: 'The link already exists',
    doc: 'The account is already linked to another provider identity, or this identity is already linked to another account. `phlix user:link` removes a link.',
  },
  local_sign_in_off: {
    kind: 'forbidden',
    title: 'Passwords and passkeys of this server are switched off',
    doc: 'The option `accounts.local_sign_in` is off: people sign in at the provider. Only the account of `phlix user:rescue` can sign in otherwise, on the server itself.',
  },
  nobody_could_sign_in: {
    kind: 'conflict',
    title: 'Local sign-in cannot be disabled',
    doc: 'Nobody could sign in any more: no account is linked to the provider, the provider does not create accounts, and no rescue account is configured. `phlix user:rescue NAME` configures one.',
  },
  rescue_account_missing: {
    kind: 'conflict',
    title: 'Local sign-in cannot be disabled without a rescue account',
    doc: 'No administrator could sign in while the provider does not answer. Configure a rescue account on the server (`phlix user:rescue NAME`), or accept the risk: `accept_sign_in_risk: true` in the request, `--accept-sign-in-risk` with `phlix config:set`.',
  },
  rescue_account_needed: {
    kind: 'conflict',
    title: 'The rescue account is needed while local sign-in is off',
    doc: 'No administrator could sign in while the provider does not answer. Name another account first (`phlix user:rescue NAME`), switch local sign-in on, or accept the risk: `phlix user:rescue --none --accept-sign-in-risk`.',
  },
  sign_in_provider_unreachable: {
    kind: 'conflict',
    title: 'The sign-in provider does not answer',
    doc: 'Local sign-in cannot be disabled now: a provider with which people would have to sign in cannot be reached. Correct its configuration, or accept the risk: `accept_sign_in_risk: true` in the request, `--accept-sign-in-risk` with `phlix config:set`.',
  },
  last_sign_in_way: {
    kind: 'conflict',
    title: 'The last way to sign in',
    doc: 'This is the only way to sign in to the account. The account has no usable password (or local sign-in is off) and no other passkey or provider link. An administrator sets a password with `phlix user:reset-password`.',
  },
  rescue_not_administrator: {
    kind: 'conflict',
    title: 'Not an active administrator',
    doc: 'Only an active administrator can be the account of `phlix user:rescue`.',
  },
  rescue_without_local_way: {
    kind: 'conflict',
    title: 'The account can sign in at the provider only',
    doc: 'The account of `phlix user:rescue` signs in while the provider does not answer, so it needs a password or a passkey.',
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
  current_password_wrong: {
    kind: 'forbidden',
    title: 'The present password is wrong',
    doc: 'A new password needs the present one, which is wrong. It counts as a failed login. An account that a sign-in provider has made has no password that anybody knows, until an administrator sets one.',
  },
  invalid_refresh_token: {
    kind: 'unauthenticated',
    title: 'Refresh token is expired or invalid',
    doc: 'The refresh token is unknown, expired, revoked, or already used.',
  },
  session_ended: {
    kind: 'unauthenticated',
    title: 'Session has ended',
    doc: 'The session was ended during the request, by a logout or a new password.',
  },
  full_session_required: {
    kind: 'forbidden',
    title: 'Not possible for a user of the hub',
    doc: 'The session was started by the hub, and has fewer rights than the account: it cannot see or change passkeys, devices and connections of the account. Sign in at the server itself.',
  },
  recent_sign_in_required: {
    kind: 'forbidden',
    title: 'Sign in again',
    doc: 'The last sign-in is older than ten minutes. Changes that last longer than the session need a recent sign-in. A session that has changed its profile and a device that was signed in by code need a new sign-in too.',
  },
  account_not_found: {
    kind: 'not_found',
    title: 'Account not found',
    doc: 'No account has this id, username or e-mail address.',
  },
  invalid_avatar: {
    kind: 'invalid',
    title: 'Not a picture that can be shown',
    doc: 'The upload has no file in the field `avatar`, or the file is not a JPEG, PNG, WebP, GIF, TIFF or AVIF, is damaged, or has too many pixels.',
  },
  avatar_not_found: {
    kind: 'not_found',
    title: 'Picture not found',
    doc: 'The account has no picture, or the picture has been replaced.',
  },
  last_administrator: {
    kind: 'conflict',
    title: 'The last administrator',
    doc: 'The account is the only active administrator; without it the server would have no administrator.',
  },
})
