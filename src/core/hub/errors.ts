import { defineErrors } from '../platform/errors/index.ts'

export const hubErrors = defineErrors({
  hub_validation_failed: {
    kind: 'invalid',
    code: 'validation_failed',
    title: 'Validation failed',
    doc: 'A username, e-mail address or password violates a rule; `fields` has the reasons.',
  },
  hub_auth_required: {
    kind: 'unauthenticated',
    code: 'auth.required',
    title: 'Unauthorized',
    doc: 'No valid token.',
  },
  hub_invalid_credentials: {
    kind: 'unauthenticated',
    code: 'invalid_credentials',
    title: 'Invalid credentials',
    doc: 'The name or the password is wrong; the reply does not say which.',
  },
  user_not_found: { kind: 'not_found', title: 'User not found', doc: 'No account of the hub has this id or name.' },
  last_hub_admin: {
    kind: 'conflict',
    title: 'The last administrator',
    doc: 'The only active administrator of a hub cannot be deleted, disabled or demoted.',
  },
  server_not_found: {
    kind: 'not_found',
    code: 'server.not_found',
    title: 'Not Found',
    doc: 'The hub knows no server with this id.',
  },
  server_not_owned: {
    kind: 'forbidden',
    code: 'server.not_owned',
    title: 'Forbidden',
    doc: 'The server belongs to another user of the hub and is not shared with the caller, or the action is for its owner.',
  },
  server_offline: {
    kind: 'unavailable',
    code: 'server.offline',
    title: 'Server is offline',
    doc: 'Three heartbeats of the server are missing, or it is disabled.',
  },
  enrolment_refused: {
    kind: 'unauthenticated',
    code: 'UNAUTHENTICATED',
    title: 'Enrolment refused',
    doc: 'The enrolment token of a home server is missing, not valid, replaced by a newer one, or of a server that was disabled or removed.',
  },
  enrolment_expired: {
    kind: 'unauthenticated',
    code: 'ENROLLMENT_TOKEN_EXPIRED',
    title: 'Enrolment expired',
    doc: 'The enrolment token of a home server has expired; the server renews it with its key.',
  },
  proof_refused: {
    kind: 'forbidden',
    code: 'AUTHORIZATION_FAILED',
    title: 'Proof refused',
    doc: 'The proof of a home server is not signed with its known key, not meant for this, used before, or its clock differs by more than five minutes.',
  },
  server_key_invalid: {
    kind: 'invalid',
    code: 'SERVER_KEY_INVALID',
    title: 'Server key invalid',
    doc: '`publicKeysJwk` has no Ed25519 key, or its proof is not signed with it.',
  },
  protocol_unsupported: {
    kind: 'invalid',
    code: 'HUB_PROTOCOL_UNSUPPORTED',
    title: 'Protocol not supported',
    doc: 'The header `Accept-Phlix-Protocol` is missing or names another version than `v1`.',
  },
  claim_not_found: {
    kind: 'not_found',
    code: 'CLAIM_CODE_NOT_FOUND',
    title: 'Code not found',
    doc: 'No home server waits with this code.',
  },
  claim_expired: {
    kind: 'gone',
    code: 'CLAIM_CODE_EXPIRED',
    title: 'Code expired',
    doc: 'The code was valid for ten minutes, or the enrolment was fetched already.',
  },
  claim_taken: {
    kind: 'conflict',
    code: 'CLAIM_CODE_ALREADY_CLAIMED',
    title: 'Code already used',
    doc: 'A code is valid for one confirmation.',
  },
  share_not_found: { kind: 'not_found', title: 'Share not found', doc: 'No share of a server has this id.' },
  invite_link_invalid: {
    kind: 'not_found',
    title: 'Invitation not valid',
    doc: 'The invitation to a server was used, has expired, was revoked or never existed.',
  },
  own_server: {
    kind: 'conflict',
    title: 'Your own server',
    doc: 'An owner needs no share of the own server.',
  },
  libraries_not_limited: {
    kind: 'conflict',
    title: 'Libraries cannot be limited',
    doc: 'The home server does not report that it can limit a user to some of its libraries; share all of them or none.',
  },
  too_many_servers: {
    kind: 'limited',
    title: 'Too many servers',
    doc: 'A user of a hub has at most 50 servers, and a server at most 100 shares and open invitations.',
  },
})
