import { createHash } from 'node:crypto'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { pluginErrors } from '../errors.ts'
import { ARCHIVE_LIMITS, RATIO_FREE_BYTES, type ArchiveLimits } from './archive-limits.ts'
import type { FileHashes } from './file-hashes.ts'
import { NameRegister, refusedEntryError, parseEntryPath } from './entry-names.ts'

const PIECE_BYTES = 64 * 1024

/**
 * Unpacks a tar.gz archive into an empty folder. Only files and folders are accepted: links could lead outside, also for the permission model
 * of Node, which follows those that exist. The owner, mode and time of entries are ignored.
 * @param bytes of the archive
 * @throws AppError `plugin.install.failed`; the folder may then hold a part of the files
 */
export async function unpackArchive(
  bytes: Uint8Array,
  { folder, limits = ARCHIVE_LIMITS }: { folder: string; limits?: ArchiveLimits },
): Promise<FileHashes> {
  if (bytes.length > limits.archiveBytes) throw tooLarge(`is larger than ${limits.archiveBytes} bytes`)
  const unpacking = createUnpacking(folder, limits)
  // The parser would itself decompress what is compressed twice, and write more than is counted here.
  const parser = new Parser({ strict: true, maxDecompressionRatio: 0, onReadEntry: (entry) => unpacking.take(entry) })
  parser.on('ignoredEntry', (entry) =>
    unpacking.fail(refusedEntryError(entry.path, 'is of a kind that is not allowed')),
  )
  parser.on('error', (error) => unpacking.fail(error))
  const ended = new Promise<void>((resolve) => {
    parser.on('end', resolve)
  })
  try {
    let unpackedBytes = 0
    for await (const chunk of Readable.from(pieces(bytes)).pipe(createGunzip()) as AsyncIterable<Buffer>) {
      if (unpackedBytes === 0 && isCompressed(chunk)) throw tooLarge('is compressed twice')
      unpackedBytes += chunk.length
      checkSize({ unpackedBytes, archiveBytes: bytes.length, limits })
      parser.write(chunk)
      await unpacking.write()
    }
    parser.end()
    await unpacking.write()
    await ended
    await unpacking.write()
    return unpacking.hashes()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw pluginErrors.plugin_install_failed({
      message: `The archive is not a valid tar.gz file: ${describeError(error)}`,
      cause: error,
    })
  } finally {
    await unpacking.close()
  }
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES)
}

const COMPRESSED = [Buffer.from([0x1f, 0x8b]), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])]

/** Whether bytes begin as gzip (RFC 1952) or Zstandard (RFC 8878) does; no tar archive with a sensible first name does. */
function isCompressed(bytes: Uint8Array): boolean {
  return COMPRESSED.some((magic) => magic.equals(bytes.subarray(0, magic.length)))
}

type Sizes = { unpackedBytes: number; archiveBytes: number; limits: ArchiveLimits }

function checkSize({ unpackedBytes, archiveBytes, limits }: Sizes): void {
  if (unpackedBytes > limits.unpackedBytes) throw tooLarge(`unpacks to more than ${limits.unpackedBytes} bytes`)
  if (unpackedBytes > RATIO_FREE_BYTES && unpackedBytes > limits.ratio * archiveBytes) {
    throw tooLarge(`unpacks to more than ${limits.ratio} times its size`)
  }
}

function tooLarge(reason: string): Error {
  return pluginErrors.plugin_install_failed({ message: `The archive ${reason}.` })
}

/**
 * Receives the entries, checks their limits immediately, and writes them in steps between two pieces of the archive. An archive of many
 * entries therefore does not block the process. The parser emits errors as events, so the first one is kept and thrown by `write`.
 */
function createUnpacking(folder: string, limits: ArchiveLimits) {
  const names = new NameRegister()
  const hashes = new Map<string, string>()
  const made = new Set<string>()
  let steps: (() => Promise<void>)[] = []
  let count = 0
  let writtenBytes = 0
  let file: FileHandle | undefined
  let problem: unknown

  const fail = (error: unknown): void => void (problem ??= error)

  async function close(): Promise<void> {
    const closing = file
    file = undefined
    await closing?.close()
  }

  function take(entry: ReadEntry): void {
    const segments = parseEntryPath(entry.path)
    count += 1
    if (count > limits.files) throw tooLarge(`has more than ${limits.files} entries`)
    const isFolder = entry.type === 'Directory'
    if (!isFolder && entry.type !== 'File' && entry.type !== 'OldFile') {
      throw refusedEntryError(entry.path, `is a ${entry.type}; only files and folders are allowed`)
    }
    if (segments.length === 0) {
      entry.resume()
      return
    }
    names.add(segments, isFolder ? 'folder' : 'file')
    makeFolder(isFolder ? segments : segments.slice(0, -1))
    if (isFolder) entry.resume()
    else takeFile(entry, segments.join('/'))
  }

  function makeFolder(segments: readonly string[]): void {
    const path = segments.join('/')
    if (path === '' || made.has(path)) return
    made.add(path)
    steps.push(async () => void (await mkdir(join(folder, path), { recursive: true, mode: 0o755 })))
  }

  function takeFile(entry: ReadEntry, path: string): void {
    const hash = createHash('sha256')
    steps.push(async () => {
      file = await open(join(folder, path), 'wx', 0o644)
    })
    entry.on('data', (chunk: Buffer) =>
      guarded(() => {
        writtenBytes += chunk.length
        if (writtenBytes > limits.unpackedBytes) throw tooLarge(`unpacks to more than ${limits.unpackedBytes} bytes`)
        hash.update(chunk)
        steps.push(async () => file?.appendFile(chunk))
      }),
    )
    entry.on('end', () =>
      guarded(() => {
        hashes.set(path, hash.digest('hex'))
        steps.push(async () => file?.sync(), close)
      }),
    )
  }

  function guarded(work: () => void): void {
    if (problem !== undefined) return
    try {
      work()
    } catch (error) {
      fail(error)
    }
  }

  return {
    take(entry: ReadEntry): void {
      guarded(() => take(entry))
      if (problem !== undefined) entry.resume()
    },
    fail,
    /** Writes what was taken. @throws the first problem */
    async write(): Promise<void> {
      if (problem !== undefined) throw problem
      const taken = steps
      steps = []
      for (const step of taken) await step()
    },
    hashes: (): FileHashes => Object.fromEntries(hashes),
    close,
  }
}
