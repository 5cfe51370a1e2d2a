/** The algorithms that we offer and take (COSE): Ed25519, ECDSA with P-256, RSA with SHA-256. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257]

/** A credential id is at most this long (WebAuthn, 4: Credential ID). */
export const CREDENTIAL_ID_BYTES = 1023

/** A registered passkey (document 1, Passkey credential), without its key. */
export type Passkey = {
  credentialId: Buffer
  /** UUID of the owner. */
  accountId: string
  /** How the authenticator can be reached, as the client told it. */
  transports: readonly string[]
  /** `platform`: built into the device. `cross-platform`: a key that is carried around. */
  deviceType: 'platform' | 'cross-platform'
  /** Model of the authenticator: 32 hexadecimal digits, zeros when it is not told. */
  aaguid: string
  registeredAt: Date
  lastUsedAt: Date | null
}

/** What a login is checked against. */
export type PasskeyKey = {
  credentialId: Buffer
  /** COSE key. */
  publicKey: Buffer
}
