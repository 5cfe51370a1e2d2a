import type { Account } from '../../../core/accounts/index.ts'
import {
  CHALLENGE_SECONDS,
  PASSKEY_ALGORITHMS,
  passkeyErrors,
  type Passkey,
  type RelyingParty,
} from '../../../core/passkeys/index.ts'
import type { AppError } from '../../../core/platform/errors/index.ts'
import { errorBody } from '../../plugins/errors.ts'

/** Standard base64 with padding: clients read binary values with `atob` (document 4, 1.7). */
const toBase64 = (bytes: Buffer): string => bytes.toString('base64')

const TIMEOUT_MILLISECONDS = CHALLENGE_SECONDS * 1000

/** What `navigator.credentials.create` is asked with (document 1, Registration options). */
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
    // A login begins with a name, so the authenticator need not remember the account by itself.
    authenticatorSelection: {
      authenticatorAttachment: null,
      residentKey: false,
      userVerification: 'preferred' as const,
    },
    attestation: 'none' as const,
  }
}

/** What `navigator.credentials.get` is asked with (document 1, Login options). */
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

/** The reply to a finished registration. */
export function registeredView({ credentialId }: Passkey) {
  return { credential_id: toBase64(credentialId), message: 'Passkey registered' }
}

/** The reply of the credential list (document 1, Passkey credential). */
export function passkeyListView(passkeys: readonly Passkey[]) {
  return {
    credentials: passkeys.map(({ credentialId, accountId, deviceType, aaguid, registeredAt }) => ({
      credential_id: toBase64(credentialId),
      user_id: accountId,
      type: 'public-key' as const,
      device_type: deviceType,
      aaguid,
      registered_at: Math.floor(registeredAt.getTime() / 1000),
    })),
  }
}

function descriptorView({ credentialId, transports }: Passkey) {
  return { type: 'public-key' as const, id: toBase64(credentialId), transports: [...transports] }
}

/** Errors that are the same on every route of the server. */
const EVERYWHERE = new Set(['auth.required', 'rate_limited', 'session_ended'])

/** Document 1, Errors 2: passkey routes answer `{error: text}` only. The missing fields are "a code", so that one stands in both. */
export function passkeyErrorView(error: AppError, status: number): Record<string, unknown> {
  if (status >= 500 || EVERYWHERE.has(error.code)) return errorBody(error, status)
  const isCode = error.code === passkeyErrors.missing_required_fields.definition.code
  return isCode ? { error: error.title, code: error.code } : { error: error.title }
}
