import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { parseJson } from '../../platform/json/index.ts'
import { backupErrors } from '../errors.ts'
import {
  CHECKSUM_PART,
  FORMAT,
  HEADER_PART,
  ArchiveHeaderSchema,
  MANIFEST_PART,
  ArchiveManifestSchema,
  type ArchiveHeader,
  type ArchiveManifest,
  type ArchivePart,
} from './format.ts'
import { damagedBackupError } from './damaged-backup-error.ts'
import { isSafePart } from './part-names.ts'
import { readBytes } from './read-bytes.ts'
import { readTarEntries, type TarEntry } from './read-entries.ts'
import { checksumLine } from './write-archive.ts'

const HEADER_LIMIT_BYTES = 64 * 1024
const MANIFEST_LIMIT_BYTES = 256 * 1024 * 1024
const CHUNK_BYTES = 1024 * 1024

/** An open archive whose structure, names and manifest have been checked. The content of its parts is checked when it is read. */
export type Archive = {
  header: ArchiveHeader
  manifest: ArchiveManifest
  /** Size of the file. */
  bytes: number
  /** The content of a part. @throws AppError `backup_damaged` if its checksum differs, or if it is larger than the limit */
  read(path: string, limitBytes: number): Promise<Buffer>
  /** The content of a part in chunks, for large files. A wrong checksum is reported after the last chunk. */
  stream(path: string): AsyncGenerator<Buffer>
  close(): Promise<void>
}

/**
 * Opens an archive and checks everything but the content of its parts. Every byte outside of the parts must be
 * exactly what Phlix writes when it creates an archive.
 * @throws AppError `backup_damaged`, `backup_too_new`, `backup_not_found`
 */
export async function openArchive(path: string): Promise<Archive> {
  const file = await openFile(path)
  try {
    const { size } = await file.stat()
    const header = await readHeader(file, size)
    const entries = await readTarEntries(file, { size, modifiedAt: new Date(header.created_at) })
    const manifest = await readManifest(file, entries)
    if (manifest.id !== header.id) throw damagedBackupError('the manifest belongs to another backup')
    comparePaths(manifest.parts, entries)
    const parts = new Map(manifest.parts.map((part, index) => [part.path, { part, entry: entries[index] }]))
    const find = (name: string): { part: ArchivePart; entry: TarEntry } => {
      const { part, entry } = parts.get(name) ?? {}
      if (part === undefined || entry === undefined) throw damagedBackupError(`${name} is missing`)
      return { part, entry }
    }
    const stream = async function* (name: string): AsyncGenerator<Buffer> {
      const { part, entry } = find(name)
      const hash = createHash('sha256')
      for (let done = 0; done < part.bytes;) {
        const chunk = await readBytes(file, entry.position + done, Math.min(CHUNK_BYTES, part.bytes - done))
        hash.update(chunk)
        yield chunk
        done += chunk.length
      }
      if (hash.digest('hex') !== part.sha256)
        throw damagedBackupError(`the content of ${name} does not match its checksum`)
    }
    return {
      header,
      manifest,
      bytes: size,
      stream,
      async read(name, limitBytes) {
        const { part, entry } = find(name)
        if (part.bytes > limitBytes) throw damagedBackupError(`${name} is too large`)
        const content = await readBytes(file, entry.position, part.bytes)
        if (sha256Of(content) !== part.sha256)
          throw damagedBackupError(`the content of ${name} does not match its checksum`)
        return content
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Reads every part. @throws AppError `backup_damaged` at the first part that does not match its checksum */
export async function checkParts(archive: Archive, signal?: AbortSignal): Promise<void> {
  for (const { path } of archive.manifest.parts) {
    signal?.throwIfAborted()
    for await (const chunk of archive.stream(path)) void chunk
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    throw backupErrors.backup_not_found({ message: `There is no file ${path}`, cause: error })
  }
}

/** The header is read first and leniently: an archive of a newer format must be reported as newer, not as damaged. */
async function readHeader(file: FileHandle, size: number): Promise<ArchiveHeader> {
  const [first] = await readTarEntries(file, { size, limit: 1 })
  if (first === undefined || first.path !== HEADER_PART || first.bytes > HEADER_LIMIT_BYTES) {
    throw damagedBackupError('it is not an archive of Phlix')
  }
  const json = parseJson(await readBytes(file, first.position, first.bytes))
  if (!isOfPhlix(json)) throw damagedBackupError('it is not an archive of Phlix')
  if (typeof json.format === 'number' && json.format > FORMAT) {
    throw backupErrors.backup_too_new({
      message: `The backup has format ${json.format}; this release reads formats up to ${FORMAT}.`,
      hint: 'Restore it with the release that made it, or a newer one.',
    })
  }
  const header = ArchiveHeaderSchema.safeParse(json)
  if (!header.success) throw damagedBackupError('its header is not valid', header.error)
  return header.data
}

function isOfPhlix(json: unknown): json is { format: unknown } {
  return typeof json === 'object' && json !== null && 'product' in json && json.product === 'phlix' && 'format' in json
}

async function readManifest(file: FileHandle, entries: readonly TarEntry[]): Promise<ArchiveManifest> {
  const [manifest, checksum] = entries.slice(-2)
  if (manifest?.path !== MANIFEST_PART || checksum?.path !== CHECKSUM_PART)
    throw damagedBackupError('it has no manifest at its end')
  if (manifest.bytes > MANIFEST_LIMIT_BYTES || checksum.bytes > 1024)
    throw damagedBackupError('its manifest is too large')
  const content = await readBytes(file, manifest.position, manifest.bytes)
  const line = (await readBytes(file, checksum.position, checksum.bytes)).toString('utf8')
  if (line !== checksumLine(sha256Of(content))) throw damagedBackupError('its manifest does not match its checksum')
  const parsed = ArchiveManifestSchema.safeParse(parseJson(content))
  if (!parsed.success) throw damagedBackupError('its manifest is not valid', parsed.error)
  return parsed.data
}

/** The manifest must list exactly the files of the archive, in their order. */
function comparePaths(parts: readonly ArchivePart[], entries: readonly TarEntry[]): void {
  const files = entries.slice(0, -2)
  if (files.length !== parts.length)
    throw damagedBackupError('its manifest and its content have different numbers of files')
  const seen = new Set<string>()
  for (const [index, { path, bytes }] of parts.entries()) {
    if (files[index]?.path !== path || files[index].bytes !== bytes)
      throw damagedBackupError(`${path} does not match the manifest (order or size)`)
    if (seen.has(path)) throw damagedBackupError(`${path} occurs twice`)
    if (index > 0 && !isSafePart(path)) throw damagedBackupError('it has a file with a name that is not permitted')
    seen.add(path)
  }
}

function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
