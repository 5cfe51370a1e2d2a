import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

/** Large enough to keep a disk busy, small enough for many slow readers: this is all that one of them costs. */
const CHUNK_BYTES = 256 * 1024

/** For the next replies; beyond these memory is given back. */
const KEPT_BUFFERS = 16

const idle: Buffer[] = []

/**
 * Bytes of an open file on their way into a reply; only to be piped, and only into what takes no bytes after it said that they are
 * written, as sockets do. All chunks pass through one buffer: a new one for each would be mapped and cleared by the kernel every time
 * (a third of the time of a segment), and a reader that stands still would hold two.
 *
 * Closes the handle, whatever happens. Ends with an error when the file has fewer bytes than it had.
 */
export class FileBytes extends Readable {
  readonly #handle: FileHandle
  readonly #range: { start: number; end: number }

  /** @param range first and last byte, both included */
  constructor(handle: FileHandle, range: { start: number; end: number }) {
    super()
    this.#handle = handle
    this.#range = range
    this.once('close', () => void handle.close())
  }

  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    this.#pump(destination).catch((error: Error) => this.destroy(error))
    return destination
  }

  async #pump(destination: NodeJS.WritableStream): Promise<void> {
    const buffer = idle.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
    const { start, end } = this.#range
    for (let position = start; position <= end;) {
      const length = Math.min(buffer.length, end + 1 - position)
      const { bytesRead } = await this.#handle.read(buffer, 0, length, position)
      if (this.destroyed) return
      if (bytesRead === 0) throw new Error('the file became shorter while it was sent')
      await written(destination, buffer.subarray(0, bytesRead))
      position += bytesRead
    }
    // Only here: what broke off may still have the bytes in hand.
    if (idle.length < KEPT_BUFFERS) idle.push(buffer)
    destination.end()
    this.push(null)
    this.resume()
  }
}

/** Never settles when the connection is gone: then the bytes are destroyed, and nobody waits any more. */
async function written(destination: NodeJS.WritableStream, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    destination.write(chunk, (error?: Error | null) => (error == null ? resolve() : reject(error)))
  })
}
