import { decodeBase64 } from './base64.ts'
import { checkClientData } from './client-data.ts'
import type { LoginResponse } from './credential.ts'
import type { PasskeyKey } from './passkey.ts'
import type { RelyingParty } from './relying-party.ts'

/** 37 bytes and extensions. The longest signature is RSA with 8,192 bits. */
const AUTHENTICATOR_DATA_BYTES = 4096
const SIGNATURE_BYTES = 1024

/**
 * Verifies the response of a login (WebAuthn, 7.2) with the library. Its counter check is disabled by passing zero, because two concurrent
 * logins would both read the old counter; the statement that writes the new counter checks it. `userHandle` is not compared, because the
 * credential was read from the account of the request.
 * @returns the new counter; undefined for an invalid response. The library may throw errors of any type
 */
export async function verifyAssertion(
  answer: LoginResponse,
  { challenge, relyingParty, key }: { challenge: Buffer; relyingParty: RelyingParty; key: PasskeyKey },
): Promise<number | undefined> {
  const clientDataJSON = checkClientData(answer.clientDataJSON)
  const authenticatorData = decodeBase64(answer.authenticatorData, AUTHENTICATOR_DATA_BYTES)?.toString('base64url')
  const signature = decodeBase64(answer.signature, SIGNATURE_BYTES)?.toString('base64url')
  if (clientDataJSON === undefined || authenticatorData === undefined || signature === undefined) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const id = key.credentialId.toString('base64url')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: false,
    credential: { id, publicKey: new Uint8Array(key.publicKey), counter: 0 },
  })
  return verified ? authenticationInfo.newCounter : undefined
}
