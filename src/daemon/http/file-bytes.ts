import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ChunkBuffers } from './chunk-buffers.ts'

/**
 * Stream of a range of an open file into a response. It must only be piped, and only into a destination that no longer uses a chunk once
 * its write callback has run, as is true for sockets. All chunks share one buffer. A new buffer per chunk would be mapped and cleared by
 * the kernel each time (a third of the time of a segment), and a stalled client would hold two. The file handle is always closed. The
 * stream fails when the file has become shorter.
 */
export class FileBytes extends Readable {
  readonly #handle: FileHandle
  readonly #range: { start: number; end: number }
  readonly #buffers: ChunkBuffers

  /** @param range first and last byte, both inclusive */
  constructor(handle: FileHandle, range: { start: number; end: number }, buffers: ChunkBuffers) {
    super()
    this.#handle = handle
    this.#range = range
    this.#buffers = buffers
    this.once('close', () => void handle.close())
  }

  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    this.#pump(destination).catch((error: Error) => this.destroy(error))
    return destination
  }

  async #pump(destination: NodeJS.WritableStream): Promise<void> {
    const buffer = this.#buffers.take()
    const { start, end } = this.#range
    for (let position = start; position <= end;) {
      const length = Math.min(buffer.length, end + 1 - position)
      const { bytesRead } = await this.#handle.read(buffer, 0, length, position)
      if (this.destroyed) return
      if (bytesRead === 0) throw new Error('the file became shorter while it was sent')
      await written(destination, buffer.subarray(0, bytesRead))
      position += bytesRead
    }
    // The buffer is released only after a clean end: an aborted write may still use it.
    this.#buffers.release(buffer)
    destination.end()
    this.push(null)
    this.resume()
  }
}

/** Never settles when the connection is closed: the stream is destroyed then, and has no more reader. */
async function written(destination: NodeJS.WritableStream, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    destination.write(chunk, (error?: Error | null) => (error == null ? resolve() : reject(error)))
  })
}
