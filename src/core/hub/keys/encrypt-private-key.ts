import { createCipheriv, createDecipheriv, createPrivateKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts the private key of a hub with AES-256-GCM. The key of the encryption is derived from the secret of the processes by HKDF (RFC 5869),
 * so that a copy of the database is not enough to sign tokens.
 * @param kid is authenticated: a row cannot be moved to another id
 */
export function encryptPrivateKey(secret: Buffer, kid: string, privateKey: KeyObject): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', encryptionKey(secret), nonce).setAAD(Buffer.from(kid))
  const text = Buffer.concat([cipher.update(privateKey.export({ format: 'der', type: 'pkcs8' })), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** Decrypts a private key. Undefined if the box belongs to another secret or id, or is damaged. */
export function decryptPrivateKey(secret: Buffer, kid: string, box: Buffer): KeyObject | undefined {
  try {
    const nonce = box.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', encryptionKey(secret), nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(kid))
      .setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const der = Buffer.concat([decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    return undefined
  }
}

function encryptionKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'phlix-hub-signing-keys-v1', 32))
}
