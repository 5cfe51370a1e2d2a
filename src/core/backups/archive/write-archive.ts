import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import {
  CHECKSUM_PART,
  HEADER_PART,
  MANIFEST_PART,
  type ArchiveHeader,
  type ArchivePart,
  type ArchiveTable,
} from './format.ts'
import type { Sink } from './sink.ts'
import { END_BLOCKS, headerBlocks, paddingBytes } from './tar-blocks.ts'

const CHUNK_BYTES = 256 * 1024

/** Writes the files of an archive one after the other. */
export type ArchiveWriter = {
  add(path: string, content: Uint8Array): Promise<void>
  /** Adds a file of the disk. One that grows is cut at the size that it had. @throws Error if it becomes shorter */
  addFile(path: string, source: string): Promise<void>
  /** Adds the manifest and its checksum, and closes the archive. */
  finish(tables: readonly ArchiveTable[]): Promise<{ bytes: number; sha256: string; parts: number }>
}

/** Starts an archive with its header. */
export async function writeArchive(sink: Sink, header: ArchiveHeader): Promise<ArchiveWriter> {
  const parts: ArchivePart[] = []
  const modifiedAt = new Date(header.created_at)

  async function put(path: string, content: Uint8Array): Promise<string> {
    await sink.write(headerBlocks({ path, bytes: content.length, modifiedAt }))
    await sink.write(content)
    await sink.write(Buffer.alloc(paddingBytes(content.length)))
    return createHash('sha256').update(content).digest('hex')
  }

  const writer: ArchiveWriter = {
    async add(path, content) {
      parts.push({ path, bytes: content.length, sha256: await put(path, content) })
    },
    async addFile(path, source) {
      const file = await open(source, 'r')
      try {
        const { size } = await file.stat()
        const hash = createHash('sha256')
        await sink.write(headerBlocks({ path, bytes: size, modifiedAt }))
        for (let position = 0; position < size;) {
          const { bytesRead, buffer } = await file.read({
            buffer: Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position)),
            position,
          })
          if (bytesRead === 0) throw new Error(`${source} became shorter while it was read`)
          const chunk = buffer.subarray(0, bytesRead)
          hash.update(chunk)
          await sink.write(chunk)
          position += bytesRead
        }
        await sink.write(Buffer.alloc(paddingBytes(size)))
        parts.push({ path, bytes: size, sha256: hash.digest('hex') })
      } finally {
        await file.close()
      }
    },
    async finish(tables) {
      const manifest = jsonOf({ id: header.id, tables, parts })
      const sha256 = await put(MANIFEST_PART, manifest)
      await put(CHECKSUM_PART, Buffer.from(checksumLine(sha256)))
      await sink.write(END_BLOCKS)
      return { ...(await sink.finish()), parts: parts.length }
    },
  }
  await writer.add(HEADER_PART, jsonOf(header))
  return writer
}

/** The content of the checksum file: `sha256sum -c manifest.sha256` checks it. */
export function checksumLine(sha256: string): string {
  return `${sha256}  ${MANIFEST_PART}\n`
}

function jsonOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}
