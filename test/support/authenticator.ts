import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { noiseOf } from './byte-sources.ts'

/**
 * A software authenticator and its browser, written from the specification. Tests can change every part of its responses, which no real
 * authenticator allows.
 */

export type Algorithm = 'Ed25519' | 'ES256' | 'RS256' | 'RS1'

/** Changes to one response. */
export type ResponseOverrides = {
  origin?: string
  rpId?: string
  type?: string
  /** Additional fields of the client data. */
  clientData?: object
  /** Flag bits to clear: 1 user presence, 4 user verification. */
  withoutFlags?: number
  counter?: number
  credentialId?: Buffer
  format?: string
  statement?: Map<string, unknown>
}

export type RegistrationPost = { attestationObject: string; clientDataJSON: string; transports: string[] }
export type LoginPost = { id: string; clientDataJSON: string; authenticatorData: string; signature: string }

export type Authenticator = {
  credentialId: Buffer
  /** Responds to a registration challenge (standard base64) in standard base64. */
  create: (challenge: string, overrides?: ResponseOverrides) => RegistrationPost
  /** Responds to a login challenge; the counter is `twist.counter`, or else the previous one plus 1. */
  get: (challenge: string, overrides?: ResponseOverrides) => LoginPost
}

type Dependencies = {
  rpId: string
  origin: string
  algorithm?: Algorithm
  credentialIdBytes?: number
  counts?: boolean
}

const ALGORITHMS = { Ed25519: -8, ES256: -7, RS256: -257, RS1: -65_535 } as const
const HASHES = { Ed25519: null, ES256: 'sha256', RS256: 'sha256', RS1: 'sha1' } as const
const PRESENT_AND_VERIFIED = 0b101
const ATTESTED = 0b100_0000

/** Number of authenticators so far; makes ids unique. */
let authenticators = 0

export function createAuthenticator({
  rpId,
  origin,
  algorithm = 'ES256',
  credentialIdBytes = 32,
  counts = true,
}: Dependencies): Authenticator {
  const keys = generateKeys(algorithm)
  const credentialId = Buffer.from(noiseOf((authenticators += 1), credentialIdBytes))
  let counter = 0
  const clientDataOf = (type: string, challenge: string, overrides: ResponseOverrides): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: overrides.type ?? type,
        challenge: Buffer.from(challenge, 'base64').toString('base64url'),
        origin: overrides.origin ?? origin,
        crossOrigin: false,
        ...overrides.clientData,
      }),
    )
  const headOf = (flags: number, overrides: ResponseOverrides): Buffer => {
    const head = Buffer.alloc(37)
    createHash('sha256')
      .update(overrides.rpId ?? rpId)
      .digest()
      .copy(head)
    head.writeUInt8(flags & ~(overrides.withoutFlags ?? 0), 32)
    head.writeUInt32BE(overrides.counter ?? counter, 33)
    return head
  }
  return {
    credentialId,
    create(challenge, overrides = {}) {
      const id = overrides.credentialId ?? credentialId
      const idLength = Buffer.alloc(2)
      idLength.writeUInt16BE(id.length)
      const head = headOf(PRESENT_AND_VERIFIED | ATTESTED, overrides)
      const key = encode(coseKeyOf(algorithm, keys.publicKey))
      const attestation = new Map<string, unknown>([
        ['fmt', overrides.format ?? 'none'],
        ['attStmt', overrides.statement ?? new Map()],
        ['authData', new Uint8Array(Buffer.concat([head, Buffer.alloc(16, 0xaa), idLength, id, key]))],
      ])
      return {
        attestationObject: encode(attestation).toString('base64'),
        clientDataJSON: clientDataOf('webauthn.create', challenge, overrides).toString('base64'),
        transports: ['internal', 'hybrid'],
      }
    },
    get(challenge, overrides = {}) {
      if (counts) counter += 1
      const head = headOf(PRESENT_AND_VERIFIED, overrides)
      const clientData = clientDataOf('webauthn.get', challenge, overrides)
      const signed = Buffer.concat([head, createHash('sha256').update(clientData).digest()])
      return {
        id: (overrides.credentialId ?? credentialId).toString('base64'),
        clientDataJSON: clientData.toString('base64'),
        authenticatorData: head.toString('base64'),
        signature: sign(HASHES[algorithm], signed, keys.privateKey).toString('base64'),
      }
    },
  }
}

/** Encodes maps, texts, numbers and bytes as CBOR. */
export function encode(value: Map<string | number, unknown> | unknown[]): Buffer {
  return Buffer.from(isoCBOR.encode(value as never))
}

function generateKeys(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === 'Ed25519') return generateKeyPairSync('ed25519')
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

/** The public key as a COSE map (RFC 9053, RFC 8230). */
function coseKeyOf(algorithm: Algorithm, key: KeyObject): Map<number, unknown> {
  const { x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))
  const head = (type: number): [number, unknown][] => [
    [1, type],
    [3, ALGORITHMS[algorithm]],
  ]
  const [curve, first, second] = [-1, -2, -3]
  if (algorithm === 'Ed25519') return new Map([...head(1), [curve, 6], [first, bytes(x)]])
  if (algorithm === 'ES256') return new Map([...head(2), [curve, 1], [first, bytes(x)], [second, bytes(y)]])
  return new Map([...head(3), [curve, bytes(n)], [first, bytes(e)]])
}
