/** The supported algorithms (COSE): Ed25519, ECDSA with P-256, RSA with SHA-256. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257]

/** Maximum length of a credential id (WebAuthn, 4: Credential ID). */
export const CREDENTIAL_ID_BYTES = 1023

/** A registered passkey, without its key. */
export type Passkey = {
  credentialId: Buffer
  /** UUID of the owner. */
  accountId: string
  /** The transports of the authenticator, as reported by the client. */
  transports: readonly string[]
  /** `platform`: built into the device. `cross-platform`: a portable authenticator. */
  deviceType: 'platform' | 'cross-platform'
  /** Model of the authenticator: 32 hexadecimal digits, zeros when unknown. */
  aaguid: string
  registeredAt: Date
  lastUsedAt: Date | null
}

/** The public key that verifies logins. */
export type PasskeyKey = {
  credentialId: Buffer
  /** COSE key. */
  publicKey: Buffer
}
