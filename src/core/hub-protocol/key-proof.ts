import type { KeyObject } from 'node:crypto'
import { errors, importJWK, jwtVerify, SignJWT } from 'jose'
import { CLOCK_SKEW_SECONDS } from './tokens.ts'
import { toPublicJwk, type KnownKey } from './public-keys.ts'

/** Lifetime of a proof in seconds, in addition to the accepted difference of the clocks. */
const PROOF_SECONDS = 120
const MAX_PROOF_LENGTH = 4096

/** The use of a proof: one for a pairing does not renew an enrolment. */
type Purpose = 'claim' | 'renewal' | 'keys'

/** What a valid proof says. */
export type KeyProof = {
  kid: string
  /** When it was signed, in Unix seconds by the clock of the signer. */
  issuedAt: number
  /** The thumbprints of the keys that replace the signing key; only for the purpose `keys`. */
  newKeys: readonly string[]
}

/**
 * Signs that the caller has the private key of a home server: a JWT (RFC 7519) with EdDSA.
 * @param input.audience the origin of the hub, so that one hub cannot use the proof at another one
 * @param input.subject what the proof is about: the id of the server, or the thumbprint of the key before there is one
 */
export async function signKeyProof(
  signer: { kid: string; privateKey: KeyObject },
  input: { purpose: Purpose; audience: string; subject: string; newKeys?: readonly string[]; nowSeconds: number },
): Promise<string> {
  const { purpose, audience, subject, newKeys, nowSeconds } = input
  return new SignJWT({ purpose, ...(newKeys === undefined ? {} : { new_keys: [...newKeys] }) })
    .setProtectedHeader({ alg: 'EdDSA', kid: signer.kid, typ: 'phlix-proof+jwt' })
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + PROOF_SECONDS)
    .sign(signer.privateKey)
}

/**
 * Checks a proof against known keys, with the accepted difference of the clocks.
 * @returns undefined for every proof that is not valid
 */
export async function verifyKeyProof(
  proof: string,
  input: {
    keys: readonly KnownKey[]
    purpose: Purpose
    audience: string
    subject: string
    now: Date
  },
): Promise<KeyProof | undefined> {
  if (proof.length > MAX_PROOF_LENGTH) return undefined
  try {
    const { payload, protectedHeader } = await jwtVerify(
      proof,
      async ({ kid }) => {
        const known = input.keys.find((key) => key.kid === kid)
        if (known === undefined) throw new errors.JWKSNoMatchingKey()
        return importJWK(toPublicJwk(known), 'EdDSA')
      },
      {
        algorithms: ['EdDSA'],
        typ: 'phlix-proof+jwt',
        audience: input.audience,
        subject: input.subject,
        currentDate: input.now,
        clockTolerance: CLOCK_SKEW_SECONDS,
        maxTokenAge: PROOF_SECONDS,
        requiredClaims: ['iat', 'exp'],
      },
    )
    if (payload['purpose'] !== input.purpose) return undefined
    const newKeys = payload['new_keys']
    const list = Array.isArray(newKeys) ? newKeys.filter((entry): entry is string => typeof entry === 'string') : []
    return { kid: protectedHeader.kid ?? '', issuedAt: payload.iat ?? 0, newKeys: list }
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
