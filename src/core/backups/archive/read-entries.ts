import type { FileHandle } from 'node:fs/promises'
import { Header, Pax } from 'tar'
import { damagedBackupError } from './damaged-backup-error.ts'
import { readBytes } from './read-bytes.ts'
import { BLOCK_BYTES, END_BLOCKS, headerBlocks, paddingBytes } from './tar-blocks.ts'

/** A file of an archive: where its content begins, and its size. */
export type TarEntry = { path: string; bytes: number; position: number }

type Options = {
  /** Size of the archive. */
  size: number
  /** If given, the headers must be exactly as Phlix writes them, with this time. */
  modifiedAt?: Date
  /** Stops after this many files, without a look at the end. */
  limit?: number
}

/** A path of 4,096 bytes in an extended header needs less. */
const EXTENDED_LIMIT_BYTES = 8192
const CHANGED = 'the list of its files is not as Phlix writes it'

/**
 * Lists the files of a tar archive by its headers. Only regular files are permitted: no links, no devices, no folders.
 * @throws AppError `backup_damaged`
 */
export async function readTarEntries(file: FileHandle, { size, modifiedAt, limit }: Options): Promise<TarEntry[]> {
  const entries: TarEntry[] = []
  let position = 0
  while (!(await isEnd(file, position))) {
    const entry = await readEntry(file, position)
    const { path, bytes } = entry
    if (entry.position + bytes > size) throw damagedBackupError('it ends too early')
    if (modifiedAt !== undefined) {
      const expected = headerBlocks({ path, bytes, modifiedAt })
      if (!expected.equals(await readBytes(file, position, entry.position - position)))
        throw damagedBackupError(CHANGED)
    }
    entries.push(entry)
    position = entry.position + bytes
    if (entries.length === limit) return entries
    const padding = await readBytes(file, position, paddingBytes(bytes))
    if (padding.some((byte) => byte !== 0)) throw damagedBackupError(CHANGED)
    position += padding.length
  }
  if (size !== position + END_BLOCKS.length) throw damagedBackupError('it does not end after its last file')
  if (!(await readBytes(file, position, END_BLOCKS.length)).equals(END_BLOCKS)) throw damagedBackupError(CHANGED)
  return entries
}

async function isEnd(file: FileHandle, position: number): Promise<boolean> {
  return (await readBytes(file, position, BLOCK_BYTES)).equals(END_BLOCKS.subarray(0, BLOCK_BYTES))
}

/** Reads the header of a file, with an extended header before it. */
async function readEntry(file: FileHandle, start: number): Promise<TarEntry> {
  let position = start
  let header = parseHeader(await readBytes(file, position, BLOCK_BYTES))
  let path = header.path
  position += BLOCK_BYTES
  if (header.type === 'ExtendedHeader') {
    const bytes = header.size ?? 0
    if (bytes > EXTENDED_LIMIT_BYTES) throw damagedBackupError(CHANGED)
    const body = await readBytes(file, position, bytes + paddingBytes(bytes))
    path = Pax.parse(body.subarray(0, bytes).toString('utf8')).path
    position += body.length
    header = parseHeader(await readBytes(file, position, BLOCK_BYTES))
    position += BLOCK_BYTES
  }
  const bytes = header.size
  if (header.type !== 'File' || path === undefined || bytes === undefined || bytes < 0)
    throw damagedBackupError(CHANGED)
  return { path, bytes, position }
}

function parseHeader(block: Buffer): Header {
  try {
    const header = new Header(block)
    if (header.cksumValid) return header
  } catch {
    // Reported below.
  }
  throw damagedBackupError(CHANGED)
}
