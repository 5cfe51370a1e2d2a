import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { LibraryType } from '../../libraries/index.ts'
import { canonicalKey } from '../../naming/index.ts'
import { describeError, systemErrorCode } from '../../platform/errors/index.ts'
import { fileErrors, isIgnoredName, mediaFileKind } from '../../platform/files/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import { probeFile, type FileFacts, type LocalMetadata, type ReaderPool } from '../../probing/index.ts'
import { mediaKindOfLibrary } from '../media-kinds/index.ts'
import type { FileDescription, MediaKind, PlannedFile } from '../media-kinds/media-kind.ts'

export type FileInspection = {
  path: string
  root: string
  libraryType: LibraryType
  sizeBytes: number
  /** The plan from names alone; null if a library of this type ignores the file. */
  planned: PlannedFile | null
  /** The resulting item, including tags and sidecar files. */
  description: FileDescription | null
  canonicalKey: string | null
  facts: FileFacts | null
  local: readonly LocalMetadata[]
  /** The reader that succeeded; null if none did. */
  readBy: 'headers' | 'ffprobe' | null
  /** Why the header readers were not sufficient. */
  ffprobeReason: string | null
  error: { code: string; reason: string } | null
}

/** Time zone for photos without one. A single file belongs to no library with a configured zone. */
const ZONE = 'UTC'

/**
 * Returns the item that a scan would make of one file, with the intermediate results. Writes nothing and needs no database.
 * @param input.path absolute path; `input.root` is the library folder to assume
 * @throws AppError `file_not_found`, also if it is not a regular file; `tool_missing`
 */
export async function inspectFile(
  services: { mediaTools: Pick<MediaTools, 'probe'>; readers: ReaderPool },
  input: { path: string; root: string; libraryType: LibraryType },
  signal: AbortSignal,
): Promise<FileInspection> {
  const { path, root, libraryType } = input
  const stats = await statFile(path)
  const kind = mediaKindOfLibrary(libraryType)
  const names = (await listNames(dirname(path))).filter((name) => isAnyOf(name, kind.fileKinds))
  const sizes = await sizesOf(dirname(path), names)
  const above = await listNamesAbove(dirname(path), root, kind)
  const plan = kind.planFolder({ pathInsideRoot: relative(root, dirname(path)), names, above, sizes })
  const planned = plan.files.get(basename(path)) ?? null
  const read = await readFile(
    services,
    { path, root, sizeBytes: stats.size, modifiedAtSeconds: stats.modifiedAtSeconds, planned },
    signal,
  )
  const type = planned?.identification.type
  return {
    ...input,
    ...read,
    sizeBytes: stats.size,
    planned,
    description: planned === null ? null : kind.describe(planned, read.facts, read.local),
    canonicalKey: type === undefined ? null : canonicalKey(basename(path), stats.size, type),
  }
}

async function statFile(path: string): Promise<{ size: number; modifiedAtSeconds: number }> {
  const stats = await stat(path).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') {
      throw fileErrors.file_not_found({ message: `There is no file ${path}`, cause: error })
    }
    throw error
  })
  if (!stats.isFile()) throw fileErrors.file_not_found({ message: `${path} is not a regular file` })
  return { size: stats.size, modifiedAtSeconds: Math.max(0, Math.floor(stats.mtimeMs / 1000)) }
}

async function listNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory() && !isIgnoredName(entry.name, false))
    .map(({ name }) => name)
    .toSorted()
}

/** Lists the same names as the walk of a scan (`MediaFileKind.innerFolders`). */
async function listNamesAbove(folder: string, root: string, { innerFolders }: MediaKind): Promise<string[]> {
  const names: string[] = []
  let prefix = ''
  for (let path = folder; relative(root, path) !== ''; path = dirname(path)) {
    if (innerFolders?.names.test(basename(path)) !== true) break
    prefix += '../'
    const { kinds } = innerFolders
    const listed = (await listNames(dirname(path))).filter((name) => isAnyOf(name, kinds))
    names.push(...listed.map((name) => prefix + name))
  }
  return names
}

/** A file that was removed since it was listed has no size. */
async function sizesOf(folder: string, names: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for (const name of names) {
    const stats = await stat(join(folder, name)).catch(() => undefined)
    if (stats !== undefined) sizes.set(name, stats.size)
  }
  return sizes
}

function isAnyOf(name: string, kinds: readonly string[]): boolean {
  return kinds.includes(mediaFileKind(name) ?? '')
}

type Place = { path: string; root: string; sizeBytes: number; modifiedAtSeconds: number; planned: PlannedFile | null }

type Read = Pick<FileInspection, 'facts' | 'local' | 'readBy' | 'ffprobeReason' | 'error'>

async function readFile(
  services: { mediaTools: Pick<MediaTools, 'probe'>; readers: ReaderPool },
  { modifiedAtSeconds, planned, ...place }: Place,
  signal: AbortSignal,
): Promise<Read> {
  const as = planned?.as ?? guessReadAs(place.path)
  const asked = { ...place, sidecars: (planned?.sidecars ?? []).map((name) => join(dirname(place.path), name)) }
  const reading = await services.readers.read(
    as === 'photo' ? { ...asked, as, time: { modifiedAtSeconds, zone: ZONE } } : { ...asked, as },
    signal,
  )
  if (reading.kind === 'gone') throw fileErrors.file_not_found()
  const { local } = reading
  const emptyResult = { facts: null, local, readBy: null, ffprobeReason: null, error: null }
  if (reading.kind === 'read') return { ...emptyResult, facts: reading.facts, readBy: 'headers' }
  if (reading.kind === 'unreadable') return { ...emptyResult, error: { code: reading.code, reason: reading.reason } }
  const { reason: ffprobeReason, tags } = reading
  try {
    const media = await probeFile(services, place.path, signal)
    return { ...emptyResult, ffprobeReason, facts: { media, containerTags: {}, tags }, readBy: 'ffprobe' }
  } catch (error) {
    signal.throwIfAborted()
    return {
      ...emptyResult,
      ffprobeReason,
      error: { code: systemErrorCode(error) ?? 'unknown', reason: describeError(error) },
    }
  }
}

function guessReadAs(path: string): PlannedFile['as'] {
  const kind = mediaFileKind(path)
  return kind === 'audio' || kind === 'photo' || kind === 'book' ? kind : 'video'
}
