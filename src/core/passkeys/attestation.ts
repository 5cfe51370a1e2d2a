import { decodeBase64 } from './base64.ts'
import { checkClientData } from './client-data.ts'
import type { RegistrationResponse } from './credential.ts'
import { CREDENTIAL_ID_BYTES, PASSKEY_ALGORITHMS } from './passkey.ts'
import type { RelyingParty } from './relying-party.ts'

/** Two or three KiB without an attestation statement; certificate chains can be larger. */
const ATTESTATION_BYTES = 32_768

/** Statement formats with certificates of the manufacturer (WebAuthn, 8). */
const CERTIFIED_FORMATS = new Set(['packed', 'tpm', 'android-key', 'android-safetynet', 'fido-u2f', 'apple'])

/** The credential in the response of a registration. */
export type AttestedCredential = { credentialId: Buffer; publicKey: Buffer; counter: number; aaguid: string }

/**
 * Verifies the response of a registration (WebAuthn, 7.1) with the library, which is loaded on demand because loading takes 150 ms. User
 * presence is required, user verification is not (`preferred`).
 * @returns undefined for an invalid response. The library may throw errors of any type
 */
export async function verifyAttestation(
  answer: RegistrationResponse,
  { challenge, relyingParty }: { challenge: Buffer; relyingParty: RelyingParty },
): Promise<AttestedCredential | undefined> {
  const clientDataJSON = checkClientData(answer.clientDataJSON)
  const bytes = decodeBase64(answer.attestationObject, ATTESTATION_BYTES)
  if (clientDataJSON === undefined || bytes === undefined) return undefined
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { id, attestationObject } = await readAttestation(bytes)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  })
  if (registrationInfo === undefined) return undefined
  const { credential, aaguid } = registrationInfo
  const credentialId = Buffer.from(credential.id, 'base64url')
  if (credentialId.length > CREDENTIAL_ID_BYTES) return undefined
  return {
    credentialId,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    aaguid: aaguid.replaceAll('-', ''),
  }
}

/**
 * Reads the id of the credential, which the request body does not contain, and prepares the object for verification. Attestation is not
 * requested and no manufacturer is trusted, so statements with certificates are removed: to verify them the library would fetch URLs in the
 * certificates, which the client chooses.
 */
async function readAttestation(bytes: Buffer): Promise<{ id: string; attestationObject: string }> {
  const { decodeAttestationObject, isoCBOR, parseAuthenticatorData } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(bytes))
  const authData = decoded.get('authData')
  const { credentialID = new Uint8Array() } = parseAuthenticatorData(authData)
  const isSelfAttested = decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined
  const isCertified = CERTIFIED_FORMATS.has(decoded.get('fmt')) && !isSelfAttested
  const bare = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  const object = isCertified ? isoCBOR.encode(bare as never) : bytes
  return {
    id: Buffer.from(credentialID).toString('base64url'),
    attestationObject: Buffer.from(object).toString('base64url'),
  }
}
