import { createHash, createPublicKey, verify } from 'node:crypto'
import { pluginErrors } from '../errors.ts'

/** What an archive must match: a hash or the key of its author, as the administrator has given them. */
export type ArchivePin = {
  /** SHA-256 of the archive, 64 hexadecimal digits. */
  sha256?: string | undefined
  /** Ed25519 public key in the form of minisign: base64 of `Ed`, 8 bytes of key id and 32 bytes of key. */
  key?: string | undefined
}

/** 302a300506032b6570032100 is the DER header of an Ed25519 public key (RFC 8410). */
const DER_HEADER = Buffer.from('302a300506032b6570032100', 'hex')
const MINISIGN_KEY_BYTES = 42
const KEY_OFFSET = 10
const SIGNATURE_BYTES = 64

/** Computes the SHA-256 of an archive in hexadecimal. */
export function computeSha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Checks an archive against the pinned hash and the signature over its hash.
 * @param signature the text of the file `<source>.sig`: base64 of the Ed25519 signature over the 32 bytes of the SHA-256; needed with a key
 * @throws AppError `plugin.install.failed`
 */
export function verifyOrigin(bytes: Uint8Array, { sha256, key }: ArchivePin, signature: string | undefined): void {
  const digest = computeSha256(bytes)
  if (sha256 !== undefined && sha256.toLowerCase() !== digest) {
    throw wrongOriginError(`the archive has the SHA-256 ${digest}, not the pinned one`)
  }
  if (key === undefined) return
  const raw = Buffer.from(signature?.trim() ?? '', 'base64')
  if (raw.length !== SIGNATURE_BYTES || !verify(null, Buffer.from(digest, 'hex'), readKey(key), raw)) {
    throw wrongOriginError('the signature of the archive was not made with the key')
  }
}

function readKey(text: string): ReturnType<typeof createPublicKey> {
  const raw = Buffer.from(text.trim(), 'base64')
  if (raw.length !== MINISIGN_KEY_BYTES || raw.subarray(0, 2).toString('latin1') !== 'Ed') {
    throw wrongOriginError('the key is not an Ed25519 public key in the form of minisign')
  }
  return createPublicKey({ key: Buffer.concat([DER_HEADER, raw.subarray(KEY_OFFSET)]), format: 'der', type: 'spki' })
}

function wrongOriginError(message: string): Error {
  return pluginErrors.plugin_install_failed({ message })
}
