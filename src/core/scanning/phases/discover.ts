import { dirname, relative } from 'node:path'
import { findFilesInFolders, findUnreadFolders, pathHash, type KnownFile } from '../../catalogue/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import {
  fileErrors,
  startWalk,
  type FolderBatch,
  type FolderListing,
  type WalkedFile,
} from '../../platform/files/index.ts'
import { selectFolders, type RememberedFolder } from '../queries/folders.ts'
import type { FolderEvent, FoundFile, SeenFolder } from '../scan-event.ts'
import type { Scan } from '../scan.ts'

export const UNRELIABLE_LISTING = Buffer.alloc(32)

/**
 * Walks the library's folders and compares what is there with what the catalogue knows. Yields new and changed files, and after
 * the files of a folder the folder itself. Folders that list exactly what they listed before are counted, and that is all: their
 * files never leave the walking thread.
 */
export async function* discover(scan: Scan): AsyncGenerator<FoundFile | FolderEvent> {
  const retried = await foldersToRetry(scan)
  for (const { path: root, isAvailable } of scan.roots) {
    if (!isAvailable) {
      scan.unverified.add(root)
      continue
    }
    try {
      for await (const batch of startWalk({ root, kinds: scan.kind.fileKinds, signal: scan.signal })) {
        yield* compare(scan, { root, batch, retried })
      }
    } catch (error) {
      if (!isUnavailable(error)) throw error
      // Gone between the guard's look and ours; `finish` looks again and says so.
      scan.unverified.add(root)
    }
  }
}

/** A rescan tries again what has never been read (document 1, job semantics 2), in folders that have not changed too. */
async function foldersToRetry({ job, services }: Scan): Promise<ReadonlySet<string>> {
  if (job.type !== 'rescan') return new Set()
  return new Set((await findUnreadFolders(services.db, job.libraryId)).map(hexOf))
}

type Comparison = { root: string; batch: FolderBatch; retried: ReadonlySet<string> }

async function* compare(scan: Scan, { root, batch, retried }: Comparison): AsyncGenerator<FoundFile | FolderEvent> {
  const { db } = scan.services
  const { libraryId } = scan.job
  const paths = batch.folders.map(({ path }) => path)
  const remembered = new Map((await selectFolders(db, { libraryId, paths })).map((folder) => [folder.path, folder]))
  const changed: number[] = []
  let unchangedCount = 0
  for (const [index, folder] of batch.folders.entries()) {
    const hash = pathHash(folder.path)
    scan.seenFolders.add(hash)
    if (!folder.isComplete) scan.unverified.add(folder.path)
    const known = remembered.get(folder.path)
    if (known !== undefined && isUnchanged(folder, known) && !retried.has(hexOf(hash)))
      unchangedCount += known.fileCount
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

/** An empty folder that cannot be looked at lists nothing with the hash of nothing: it is never unchanged. */
function isUnchanged({ isComplete, listingHash }: FolderListing, known: RememberedFolder): boolean {
  return isComplete && known.listingHash.equals(listingHash)
}

type ListedFolder = FolderListing & { files: WalkedFile[] }

async function* compareFiles(
  scan: Scan,
  root: string,
  folders: readonly ListedFolder[],
): AsyncGenerator<FoundFile | SeenFolder> {
  const { libraryId } = scan.job
  const paths = folders.map(({ path }) => path)
  const known = groupByFolder(await findFilesInFolders(scan.services.db, { libraryId, folders: paths }))
  for (const folder of folders) {
    const files = folder.files.filter(({ path }) => scan.kind.isItem(relative(root, path)))
    scan.counters.found += files.length
    yield* compareFolder(scan, { root, folder: { ...folder, files } }, known.get(folder.path) ?? [])
  }
}

function* compareFolder(
  scan: Scan,
  { root, folder }: { root: string; folder: ListedFolder },
  known: readonly KnownFile[],
): Generator<FoundFile | SeenFolder> {
  const rows = new Map(known.map((file) => [file.path, file]))
  const returnedIds: string[] = []
  let unchangedCount = 0
  for (const file of folder.files) {
    const row = rows.get(file.path)
    rows.delete(file.path)
    if (row === undefined || needsProbing(scan, file, row)) {
      yield { kind: 'file', root, ...file }
      continue
    }
    unchangedCount += 1
    if (row.isMissing) returnedIds.push(row.id)
  }
  const absentIds = folder.isComplete ? [...rows.values()].filter((row) => !row.isMissing).map(({ id }) => id) : []
  const { path, listingHash, problems } = folder
  const fileCount = folder.files.length
  yield { kind: 'folder', path, listingHash, fileCount, unchangedCount, absentIds, returnedIds, problems }
}

/** New size or time; a rescan also tries again what has never been read (document 1, job semantics 2). */
function needsProbing({ job }: Scan, file: WalkedFile, row: KnownFile): boolean {
  if (row.sizeBytes !== file.sizeBytes || row.modifiedAtNanoseconds !== file.modifiedAtNanoseconds) return true
  return job.type === 'rescan' && !row.hasSource
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
