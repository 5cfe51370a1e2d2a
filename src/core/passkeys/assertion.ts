import { decodeBase64 } from './base64.ts'
import { readClientData } from './client-data.ts'
import type { LoginAnswer } from './credential.ts'
import type { PasskeyKey } from './passkey.ts'
import type { RelyingParty } from './relying-party.ts'

/** 37 bytes and extensions; an RSA signature of 8,192 bits is the longest. */
const AUTHENTICATOR_DATA_BYTES = 4096
const SIGNATURE_BYTES = 1024

/**
 * Verifies a login's answer (WebAuthn, 7.2) with the library. Its own look at the counter is switched off by telling it zero: two
 * logins at the same time would both see the old one, so the statement that writes the new one decides.
 * `userHandle` is not compared: the credential was found among those of the account that was named.
 * @returns the new counter; undefined when it does not verify; throws whatever the library throws
 */
export async function verifyAssertion(
  answer: LoginAnswer,
  { challenge, relyingParty, key }: { challenge: Buffer; relyingParty: RelyingParty; key: PasskeyKey },
): Promise<number | undefined> {
  const clientDataJSON = readClientData(answer.clientDataJSON)
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
