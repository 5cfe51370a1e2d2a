import { createHash } from 'node:crypto'
import { objectStorageErrors, type ObjectStorage } from '../../platform/object-storage/index.ts'
import { computePartBytes } from './part-size.ts'

type Input = {
  key: string
  bytes: number
  /** SHA-256 of the content. */
  sha256: string
  /** The etag of the object if the server computes it with MD5. */
  etag: string
  signal: AbortSignal | undefined
}

/**
 * Compares an object with what was uploaded, and removes it if it differs. An etag that is not the expected MD5 proves nothing, because
 * servers that encrypt objects compute etags differently: the object is then read and hashed.
 * @throws AppError `storage_checksum`
 */
export async function verifyObject(storage: ObjectStorage, { key, bytes, sha256, etag, signal }: Input): Promise<void> {
  const facts = await storage.head(key, signal)
  if (facts?.bytes === bytes && (facts.etag === etag || (await hashObject(storage, { key, bytes, signal })) === sha256))
    return
  await storage.remove(key, signal)
  const found = facts === undefined ? 'it is missing' : `it has ${facts.bytes} bytes`
  throw objectStorageErrors.storage_checksum({
    message: `The uploaded ${key} differs from the backup of ${bytes} bytes with SHA-256 ${sha256}: ${found}.`,
  })
}

async function hashObject(
  storage: ObjectStorage,
  { key, bytes, signal }: Pick<Input, 'key' | 'bytes' | 'signal'>,
): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readObject(storage, { key, bytes, signal })) hash.update(chunk)
  return hash.digest('hex')
}

/** Reads an object in ranges, one of which is in memory. @throws AppError `storage_checksum` if a range has another size */
export async function* readObject(
  storage: ObjectStorage,
  { key, bytes, signal }: Pick<Input, 'key' | 'bytes' | 'signal'>,
): AsyncGenerator<Uint8Array> {
  const rangeBytes = computePartBytes(bytes)
  for (let first = 0; first < bytes; first += rangeBytes) {
    const length = Math.min(rangeBytes, bytes - first)
    const range = { first, last: first + length - 1 }
    const chunk = await storage.get(key, { range, maximumBytes: length, signal })
    if (chunk.length !== length) {
      throw objectStorageErrors.storage_checksum({
        message: `The object storage sent ${chunk.length} bytes of ${key} instead of ${length}.`,
      })
    }
    yield chunk
  }
}
