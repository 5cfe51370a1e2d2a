import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { systemErrorCode } from '../../platform/errors/index.ts'
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
/** A file up to this size is read before its header is written, so that a file that becomes shorter meanwhile can be left out. */
const MEMORY_BYTES = 16 * 1024 * 1024

/** Writes the files of an archive one after the other. */
export type ArchiveWriter = {
  add(path: string, content: Uint8Array): Promise<void>
  /**
   * Adds a file of the disk. If the file grows meanwhile, only the bytes of its original size are stored.
   * @returns false, and adds nothing, if the file does not exist, is a link although `mayBeLink` is false, or becomes shorter
   */
  addFile(path: string, source: string, options: { mayBeLink: boolean }): Promise<boolean>
  /** Adds the manifest and its checksum, and closes the archive. */
  finish(tables: readonly ArchiveTable[]): Promise<{ bytes: number; sha256: string; parts: number }>
}

/**
 * Starts an archive with its header.
 * @param spool path of a file that does not exist; a file above 16 MiB is copied there first, and it is removed again
 */
export async function writeArchive(
  sink: Sink,
  { header, spool }: { header: ArchiveHeader; spool: string },
): Promise<ArchiveWriter> {
  const parts: ArchivePart[] = []
  const modifiedAt = new Date(header.created_at)

  async function put(path: string, content: Uint8Array): Promise<string> {
    await sink.write(headerBlocks({ path, bytes: content.length, modifiedAt }))
    await sink.write(content)
    await sink.write(Buffer.alloc(paddingBytes(content.length)))
    return createHash('sha256').update(content).digest('hex')
  }

  /** The header with the size precedes the content, so the size must not change afterwards. */
  async function addLarge(path: string, file: FileHandle, size: number): Promise<boolean> {
    const copy = await open(spool, 'wx+', 0o600)
    try {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const chunk of chunksOf(file, size)) {
        hash.update(chunk)
        await copy.writeFile(chunk)
        bytes += chunk.length
      }
      if (bytes < size) return false
      await sink.write(headerBlocks({ path, bytes, modifiedAt }))
      for await (const chunk of chunksOf(copy, size)) await sink.write(chunk)
      await sink.write(Buffer.alloc(paddingBytes(size)))
      parts.push({ path, bytes, sha256: hash.digest('hex') })
      return true
    } finally {
      await copy.close()
      await rm(spool, { force: true })
    }
  }

  const writer: ArchiveWriter = {
    async add(path, content) {
      parts.push({ path, bytes: content.length, sha256: await put(path, content) })
    },
    async addFile(path, source, { mayBeLink }) {
      const file = await openExisting(source, { mayBeLink })
      if (file === undefined) return false
      try {
        const facts = await file.stat()
        if (!facts.isFile()) return false
        const { size } = facts
        if (size <= MEMORY_BYTES) {
          const content = await readWhole(file, size)
          if (content === undefined) return false
          await writer.add(path, content)
          return true
        }
        return await addLarge(path, file, size)
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

/** The first bytes of a file; fewer if it has become shorter. */
async function* chunksOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size;) {
    const length = Math.min(CHUNK_BYTES, size - position)
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(length), position })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

/** ELOOP: it is a link (open(2), O_NOFOLLOW). Without O_NONBLOCK the open of a pipe would wait for a writer. */
async function openExisting(source: string, { mayBeLink }: { mayBeLink: boolean }): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return await open(source, O_RDONLY | O_NONBLOCK | (mayBeLink ? 0 : O_NOFOLLOW))
  } catch (error) {
    if (!['ENOENT', 'ELOOP', 'ENXIO'].includes(systemErrorCode(error) ?? '')) throw error
    return undefined
  }
}

/** Undefined for a file that has become shorter. */
async function readWhole(file: FileHandle, size: number): Promise<Buffer | undefined> {
  const content = Buffer.allocUnsafe(size)
  for (let done = 0; done < size;) {
    const { bytesRead } = await file.read(content, done, size - done, done)
    if (bytesRead === 0) return undefined
    done += bytesRead
  }
  return content
}

/** The content of the checksum file: `sha256sum -c manifest.sha256` checks it. */
export function checksumLine(sha256: string): string {
  return `${sha256}  ${MANIFEST_PART}\n`
}

function jsonOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}
