import type { Account } from '../../../core/accounts/index.ts'
import {
  CHALLENGE_SECONDS,
  PASSKEY_ALGORITHMS,
  passkeyErrors,
  type Passkey,
  type RelyingParty,
} from '../../../core/passkeys/index.ts'
import type { AppError } from '../../../core/platform/errors/index.ts'
import { passkeyView } from '../../../core/views/index.ts'
import { errorBody } from '../../hooks/errors.ts'

/** Standard base64 with padding: clients decode binary values with `atob`. */
const toBase64 = (bytes: Buffer): string => bytes.toString('base64')

const TIMEOUT_MILLISECONDS = CHALLENGE_SECONDS * 1000

/** The options for `navigator.credentials.create`. */
export function registrationOptionsView(
  { account, relyingParty: { id, name } }: { account: Account; relyingParty: RelyingParty },
  { challenge, existing }: { challenge: Buffer; existing: readonly Passkey[] },
) {
  return {
    challenge: toBase64(challenge),
    rp: { id, name },
    user: {
      id: toBase64(Buffer.from(account.id.replaceAll('-', ''), 'hex')),
      name: account.username,
      displayName: account.displayName ?? account.username,
    },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: TIMEOUT_MILLISECONDS,
    excludeCredentials: existing.map(descriptorView),
    // The user enters a name to log in, so the authenticator need not store a discoverable credential.
    authenticatorSelection: {
      authenticatorAttachment: null,
      residentKey: false,
      userVerification: 'preferred' as const,
    },
    attestation: 'none' as const,
  }
}

/** The options for `navigator.credentials.get`. */
export function loginOptionsView(
  { id }: RelyingParty,
  { challenge, passkeys }: { challenge: Buffer; passkeys: readonly Passkey[] },
) {
  return {
    challenge: toBase64(challenge),
    rpId: id,
    allowCredentials: passkeys.map(descriptorView),
    timeout: TIMEOUT_MILLISECONDS,
    userVerification: 'preferred' as const,
  }
}

/** The reply to a completed registration. */
export function registeredView({ credentialId }: Passkey) {
  return { credential_id: toBase64(credentialId), message: 'Passkey registered' }
}

/** The reply of the credential list. */
export function passkeyListView(passkeys: readonly Passkey[]) {
  return {
    credentials: passkeys.map((passkey) => passkeyView(passkey, toUnixSeconds)),
  }
}

function toUnixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

function descriptorView({ credentialId, transports }: Passkey) {
  return { type: 'public-key' as const, id: toBase64(credentialId), transports: [...transports] }
}

/** Errors that have the same body on every route. */
const COMMON_ERROR_CODES = new Set(['auth.required', 'rate_limited', 'session_ended', 'full_session_required'])

/** Errors of passkey routes are `{error: text}` only. For missing fields the API requires a code in both keys. */
export function passkeyErrorView(error: AppError, status: number): Record<string, unknown> {
  if (status >= 500 || COMMON_ERROR_CODES.has(error.code)) return errorBody(error, status)
  const isCode = error.code === passkeyErrors.missing_required_fields.definition.code
  return isCode ? { error: error.title, code: error.code } : { error: error.title }
}
