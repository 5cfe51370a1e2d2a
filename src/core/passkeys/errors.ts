import { defineErrors } from '../platform/errors/index.ts'

/**
 * Errors of passkeys. The titles are part of the API: passkey routes respond with `{error: title}` only. Messages of the WebAuthn library
 * are never exposed. Two rows with the same title differ in their kind: a registration is invalid, a login is not authenticated.
 */
export const passkeyErrors = defineErrors({
  missing_required_fields: {
    kind: 'invalid',
    title: 'missing_required_fields',
    doc: 'A passkey request lacks a field. The one passkey error whose body also carries `code`.',
  },
  user_not_found: {
    kind: 'invalid',
    code: 'passkey_user_not_found',
    title: 'User not found',
    doc: 'A passkey login was begun for a name that no account has, or whose account is disabled. Passkey routes answer `{error}` alone.',
  },
  none_registered: {
    kind: 'invalid',
    code: 'passkey_none_registered',
    title: 'No credentials registered for user',
    doc: 'A passkey login was begun for an account without passkeys.',
  },
  registration_expired: {
    kind: 'invalid',
    code: 'passkey_registration_expired',
    title: 'Invalid or expired challenge',
    doc: 'The challenge of a registration is unknown, used, older than five minutes, or was made for somebody or something else.',
  },
  login_expired: {
    kind: 'unauthenticated',
    code: 'passkey_login_expired',
    title: 'Invalid or expired challenge',
    doc: 'The same for a login.',
  },
  registration_mismatch: {
    kind: 'invalid',
    code: 'passkey_registration_mismatch',
    title: 'Challenge mismatch',
    doc: 'The authenticator’s answer does not fit: another challenge, origin, relying party or ceremony, or not well-formed.',
  },
  login_mismatch: {
    kind: 'unauthenticated',
    code: 'passkey_login_mismatch',
    title: 'Challenge mismatch',
    doc: 'The same for a login; also a signature that is wrong.',
  },
  already_registered: {
    kind: 'invalid',
    code: 'passkey_already_registered',
    title: 'Credential is already registered',
    doc: 'This credential belongs to an account already, the same or another.',
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
    doc: 'The signature counter did not increase: the answer was sent before, or the authenticator was copied.',
  },
  not_owned: {
    kind: 'not_found',
    code: 'passkey_not_found',
    title: 'Credential not found or not owned by user',
    doc: 'The passkey to remove does not exist or belongs to another account; which of them is not said.',
  },
  relying_party_unknown: {
    kind: 'invalid',
    code: 'passkey_relying_party_unknown',
    title: 'Passkeys need server.public_url to be set',
    doc: 'The request did not come over localhost and `server.public_url` is not set, so the host that passkeys belong to is not known.',
  },
})
