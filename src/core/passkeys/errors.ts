import { defineErrors } from '../platform/errors/index.ts'

/**
 * Errors of passkeys. The titles are part of the API: passkey routes respond with `{error: title}` only. Messages of the WebAuthn library
 * are never exposed. Two rows with the same title differ in their kind: a registration is invalid, a login is not authenticated.
 */
export const passkeyErrors = defineErrors({
  missing_required_fields: {
    kind: 'invalid',
    title: 'missing_required_fields',
    doc: 'A passkey request lacks a field. This is the only passkey error whose body also has `code`.',
  },
  user_not_found: {
    kind: 'invalid',
    code: 'passkey_user_not_found',
    title: 'User not found',
    doc: 'A passkey login was started for an unknown name or a disabled account. Passkey routes answer `{error}` alone.',
  },
  none_registered: {
    kind: 'invalid',
    code: 'passkey_none_registered',
    title: 'No credentials registered for user',
    doc: 'A passkey login was started for an account without passkeys.',
  },
  registration_expired: {
    kind: 'invalid',
    code: 'passkey_registration_expired',
    title: 'Invalid or expired challenge',
    doc: 'The challenge of a registration is unknown, used, older than five minutes, or was created for another account or purpose.',
  },
  login_expired: {
    kind: 'unauthenticated',
    code: 'passkey_login_expired',
    title: 'Invalid or expired challenge',
    doc: 'The challenge of a login is unknown, used, older than five minutes, or was created for another purpose.',
  },
  registration_mismatch: {
    kind: 'invalid',
    code: 'passkey_registration_mismatch',
    title: 'Challenge mismatch',
    doc: 'The answer of the authenticator has another challenge, origin, relying party or ceremony, or is malformed.',
  },
  login_mismatch: {
    kind: 'unauthenticated',
    code: 'passkey_login_mismatch',
    title: 'Challenge mismatch',
    doc: 'The answer of the authenticator at a login has another challenge, origin, relying party or ceremony, a wrong signature, or is malformed.',
  },
  already_registered: {
    kind: 'invalid',
    code: 'passkey_already_registered',
    title: 'Credential is already registered',
    doc: 'This credential is already registered for this or another account.',
  },
  too_many: {
    kind: 'invalid',
    code: 'passkey_too_many',
    title: 'Too many credentials registered for user',
    doc: 'The account has 100 passkeys; remove one first.',
  },
  not_recognised: {
    kind: 'unauthenticated',
    code: 'passkey_not_recognised',
    title: 'Credential not found',
    doc: 'The credential id of a passkey login is unknown or belongs to another account.',
  },
  replayed: {
    kind: 'unauthenticated',
    code: 'passkey_replayed',
    title: 'Potential replay attack detected',
    doc: 'The signature counter did not increase: the answer was sent a second time, or the authenticator was cloned.',
  },
  not_owned: {
    kind: 'not_found',
    code: 'passkey_not_found',
    title: 'Credential not found or not owned by user',
    doc: 'The passkey to remove does not exist or belongs to another account; the reply does not say which.',
  },
  relying_party_unknown: {
    kind: 'invalid',
    code: 'passkey_relying_party_unknown',
    title: 'Passkeys need server.public_url to be set',
    doc: 'The request was not sent to localhost and `server.public_url` is not set, so the host of the passkeys is unknown.',
  },
})
