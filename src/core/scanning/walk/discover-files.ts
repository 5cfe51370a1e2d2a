import { hash } from 'node:crypto'
import { basename, dirname, relative } from 'node:path'
import { findFilesInFolders, listFolderHashesOfUnreadFiles, pathHash, type KnownFile } from '../../catalogue/index.ts'
import { canonicalKey } from '../../naming/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import {
  fileErrors,
  startWalk,
  type FolderBatch,
  type FolderListing,
  type WalkedFile,
} from '../../platform/files/index.ts'
import { createEventLoopYielder } from './event-loop-yielder.ts'
import type { FolderContents, PlannedFile, PlannedFolder } from '../media-kinds/media-kind.ts'
import { selectStoredFolders, type StoredFolder } from '../queries/folders.ts'
import type { FolderEvent, DiscoveredFile, CompletedFolder } from '../job/scan-event.ts'
import type { ScanState } from '../job/scan-state.ts'

export const UNRELIABLE_LISTING = Buffer.alloc(32)

/**
 * Walks the library's folders and compares them with the catalogue. Yields new and changed files, and after the files of a folder the
 * folder itself. Folders with an unchanged listing are only counted; their files never leave the walking thread.
 */
export async function* discoverFiles(scan: ScanState): AsyncGenerator<DiscoveredFile | FolderEvent> {
  const retried = await foldersToRetry(scan)
  for (const { path: root, isAvailable } of scan.roots) {
    if (!isAvailable) {
      scan.unverified.add(root)
      continue
    }
    try {
      const { silenceLimitMilliseconds } = scan.services
      const input = {
        root,
        kinds: scan.kind.fileKinds,
        inner: scan.kind.innerFolders,
        signal: scan.signal,
        silenceLimitMilliseconds,
      }
      for await (const batch of startWalk(scan.services, input)) {
        yield* compare(scan, { root, batch, retried })
      }
    } catch (error) {
      if (!isUnavailable(error)) throw error
      // The folder has become unavailable since the guard's check; `finishScan` checks again and reports it.
      scan.unverified.add(root)
    }
  }
}

/** A rescan retries files that have never been read, including those in unchanged folders. */
async function foldersToRetry({ job, services }: ScanState): Promise<ReadonlySet<string>> {
  if (job.type !== 'rescan') return new Set()
  return new Set((await listFolderHashesOfUnreadFiles(services.db, job.libraryId)).map(hexOf))
}

type Comparison = { root: string; batch: FolderBatch; retried: ReadonlySet<string> }

async function* compare(
  scan: ScanState,
  { root, batch, retried }: Comparison,
): AsyncGenerator<DiscoveredFile | FolderEvent> {
  const { db } = scan.services
  const { libraryId } = scan.job
  const paths = batch.folders.map(({ path }) => path)
  const stored = new Map((await selectStoredFolders(db, { libraryId, paths })).map((folder) => [folder.path, folder]))
  const changed: number[] = []
  const isRetried = (key: Buffer): boolean => readsEveryFile(scan) || retried.has(hexOf(key))
  let unchangedCount = 0
  for (const [index, folder] of batch.folders.entries()) {
    const key = pathHash(folder.path)
    scan.seenFolders.add(key)
    if (!folder.isComplete) scan.unverified.add(folder.path)
    const known = stored.get(folder.path)
    if (known !== undefined && isUnchanged(folder, known) && !isRetried(key)) unchangedCount += known.fileCount
    else changed.push(index)
  }
  const files = await batch.filesOf(changed)
  scan.counters.found += unchangedCount
  const lastPath = paths.at(-1)
  if (lastPath !== undefined) yield { kind: 'unchanged', lastPath, fileCount: unchangedCount }
  yield* compareFiles(
    scan,
    root,
    changed.flatMap((index, position) => {
      const folder = batch.folders[index]
      return folder === undefined ? [] : [{ ...folder, files: files[position] ?? [] }]
    }),
  )
}

/**
 * Returns whether the listing is unchanged. An unreadable folder has the listing hash of an empty folder, so it is never treated as
 * unchanged.
 */
function isUnchanged({ isComplete, listingHash }: FolderListing, known: StoredFolder): boolean {
  return isComplete && known.listingHash.equals(listingHash)
}

type ListedFolder = FolderListing & { files: WalkedFile[] }

async function* compareFiles(
  scan: ScanState,
  root: string,
  folders: readonly ListedFolder[],
): AsyncGenerator<DiscoveredFile | CompletedFolder> {
  const { libraryId } = scan.job
  const paths = folders.map(({ path }) => path)
  const known = groupByFolder(await findFilesInFolders(scan.services.db, { libraryId, folders: paths }))
  const yieldEventLoop = createEventLoopYielder(scan.services)
  for (const folder of folders) {
    await yieldEventLoop()
    yield* compareFolder(scan, { root, folder }, known.get(folder.path) ?? [])
  }
}

function* compareFolder(
  scan: ScanState,
  { root, folder }: { root: string; folder: ListedFolder },
  known: readonly KnownFile[],
): Generator<DiscoveredFile | CompletedFolder> {
  const { path, listingHash, problems, files } = folder
  const plan = scan.kind.planFolder(viewOf(relative(root, path), files))
  const listed = new Map(files.map((file) => [file.name, file]))
  const rows = new Map(known.map((row) => [row.path, row]))
  const returnedIds: string[] = []
  let unchangedCount = 0
  for (const [name, planned] of plan.files) {
    const file = listed.get(name)
    if (file === undefined) continue
    const row = rows.get(file.path)
    rows.delete(file.path)
    const sidecarHash = hashSidecars(planned.sidecars, listed)
    const isKnown = row !== undefined && hasSameRole(row, planned) && hasSameNumbers(row, planned)
    if (!isKnown || needsReading(scan, { file, sidecarHash }, row)) {
      const key = canonicalKey(name, file.sizeBytes, planned.identification.type)
      yield { kind: 'file', root, ...file, canonicalKey: key, planned, sidecarHash }
      continue
    }
    unchangedCount += 1
    if (row.isMissing) returnedIds.push(row.id)
  }
  scan.counters.found += plan.files.size
  const absentIds = folder.isComplete ? [...rows.values()].filter((row) => !row.isMissing).map(({ id }) => id) : []
  const counts = { fileCount: plan.files.size, unchangedCount }
  yield {
    kind: 'folder',
    root,
    path,
    listingHash,
    ...counts,
    absentIds,
    returnedIds,
    successors: absentIds.flatMap((id) => successorsOf(id, folder, { known, plan })),
    problems,
    plan,
    companions: listed,
    local: [],
  }
}

function hasSameRole({ role, isMerged }: KnownFile, planned: PlannedFile): boolean {
  return isMerged || role === (planned.role?.kind ?? null)
}

/**
 * Returns whether an episode keeps its numbers. Other files of the folder can change their meaning (`Show 101` is 1x01, or 101 beside
 * `Show 145`). A name without a number keeps the stored number.
 */
function hasSameNumbers(row: KnownFile, { identification }: PlannedFile): boolean {
  const { seasonNumber, episodeNumber = null, endingEpisodeNumber, metadata } = identification
  if (episodeNumber === null) return true
  return (
    row.seasonNumber === (seasonNumber ?? null) &&
    row.episodeNumber === episodeNumber &&
    row.endingEpisodeNumber === (endingEpisodeNumber ?? null) &&
    row.absoluteNumber === (metadata['absolute_number'] ?? null)
  )
}

/**
 * Returns the successor of a film whose own file is gone: the first of its versions. Among manually merged versions the successor is
 * chosen at the end of the job, because they may be in other folders.
 */
function successorsOf(
  fromId: string,
  { path }: ListedFolder,
  { known, plan }: { known: readonly KnownFile[]; plan: PlannedFolder },
): CompletedFolder['successors'] {
  for (const row of known) {
    const name = basename(row.path)
    const planned = plan.files.get(name)
    if (row.role !== 'version' || row.isMerged || row.primaryId !== fromId || planned === undefined) continue
    const { role } = planned
    if (role === null) return [{ fromId, path: row.path }]
    if (role.kind === 'version' && typeof role.of === 'object' && 'file' in role.of) {
      return [{ fromId, path: `${path}/${role.of.file}` }]
    }
  }
  return []
}

function viewOf(pathInsideRoot: string, files: readonly WalkedFile[]): FolderContents {
  const above = files.flatMap(({ name }) => (name.startsWith('../') ? [name] : []))
  const own = above.length === 0 ? files : files.filter(({ name }) => !name.startsWith('../'))
  const sizes = new Map(own.map(({ name, sizeBytes }) => [name, sizeBytes]))
  return { pathInsideRoot, names: [...sizes.keys()], above, sizes }
}

/** Hashes names, sizes and times of the sidecars; null without sidecars, so that most rows store nothing. */
function hashSidecars(names: readonly string[], listed: ReadonlyMap<string, WalkedFile>): Buffer | null {
  const files = names.flatMap((name) => listed.get(name) ?? [])
  if (files.length === 0) return null
  const text = files.map(
    ({ name, sizeBytes, modifiedAtNanoseconds }) => `${name}\0${sizeBytes}\0${modifiedAtNanoseconds}`,
  )
  return hash('sha256', text.join('\0'), 'buffer')
}

type Seen = { file: WalkedFile; sidecarHash: Buffer | null }

/**
 * Returns whether a file must be read: the size or time of the file or of a sidecar has changed. A rescan also retries files that have
 * never been read, or reads all files on request.
 */
function needsReading(scan: ScanState, { file, sidecarHash }: Seen, row: KnownFile): boolean {
  if (row.sizeBytes !== file.sizeBytes || row.modifiedAtNanoseconds !== file.modifiedAtNanoseconds) return true
  if (!isSameHash(row.sidecarHash, sidecarHash)) return true
  return readsEveryFile(scan) || (scan.job.type === 'rescan' && !row.hasSource)
}

function isSameHash(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other)
}

/** Whether unchanged files are read too. Only music libraries support this option; in other libraries known files are not read again. */
function readsEveryFile({ job, library }: ScanState): boolean {
  return job.type === 'rescan' && job.options.readEveryFile === true && library.type === 'music'
}

function groupByFolder(files: readonly KnownFile[]): Map<string, KnownFile[]> {
  return Map.groupBy(files, ({ path }) => dirname(path))
}

function hexOf(hash: Buffer): string {
  return hash.toString('hex')
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === fileErrors.folder_unavailable.definition.code
}
