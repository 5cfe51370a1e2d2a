import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { backupErrors } from '../errors.ts'
import { openFileSink, type Sink } from './sink.ts'

/** The first bytes of a file of the format age (age-encryption.org/v1). */
const AGE_INTRODUCTION = 'age-encryption.org/v1\n'

/** A file sink whose content is encrypted with a passphrase in the format age. */
export async function openEncryptedSink(path: string, passphrase: string): Promise<Sink> {
  const { Encrypter } = await import('age-encryption')
  const file = await openFileSink(path)
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const copying = (async () => {
    for await (const chunk of await encrypter.encrypt(readable)) await file.write(chunk)
  })()
  // A failed write to the disk ends the pipe; otherwise the writer would wait for a reader.
  copying.catch((error: unknown) => writer.abort(error).catch(() => {}))
  return {
    async write(bytes) {
      await Promise.race([writer.write(bytes), failure(copying)])
    },
    async finish() {
      await Promise.race([writer.close(), failure(copying)])
      await copying
      return file.finish()
    },
    async abandon() {
      await writer.abort().catch(() => {})
      await copying.catch(() => {})
      await file.abandon()
    },
  }
}

/** Rejects when the work fails; never resolves. */
function failure(work: Promise<void>): Promise<never> {
  return new Promise((_, reject) => void work.catch(reject))
}

/** Whether the file is encrypted. */
export async function isEncryptedFile(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(AGE_INTRODUCTION.length), 0, AGE_INTRODUCTION.length, 0)
    return buffer.subarray(0, bytesRead).toString('latin1') === AGE_INTRODUCTION
  } finally {
    await file.close()
  }
}

/**
 * Decrypts a file into another one with mode 0600.
 * @throws AppError `backup_passphrase`, `backup_damaged`
 */
export async function decryptFile(
  source: string,
  { target, passphrase, signal }: { target: string; passphrase: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const sink = await openFileSink(target)
  try {
    const encrypted = Readable.toWeb(createReadStream(source)) as ReadableStream<Uint8Array>
    let plain
    try {
      plain = await decrypter.decrypt(encrypted)
    } catch (error) {
      throw backupErrors.backup_passphrase({ title: 'The passphrase is wrong', cause: error })
    }
    await copy(plain, { sink, signal })
    await sink.finish()
  } catch (error) {
    await sink.abandon()
    await rm(target, { force: true })
    throw error
  }
}

async function copy(
  plain: ReadableStream<Uint8Array>,
  { sink, signal }: { sink: Sink; signal: AbortSignal | undefined },
) {
  const reader = plain.getReader()
  for (;;) {
    signal?.throwIfAborted()
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw backupErrors.backup_damaged({ message: 'The backup is damaged: it cannot be decrypted', cause: error })
    })
    if (done) return
    await sink.write(value)
  }
}
