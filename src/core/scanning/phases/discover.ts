import { createHash } from 'node:crypto'
import { dirname, relative } from 'node:path'
import { findFilesInFolders, type KnownFile } from '../../catalogue/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import { fileErrors, walkFolder, type WalkedFile, type WalkedFolder } from '../../platform/files/index.ts'
import { selectFolders, type RememberedFolder } from '../queries/folders.ts'
import type { FoundFile, SeenFolder } from '../scan-event.ts'
import type { Scan } from '../scan.ts'

/** One look into the database per so many folders or files. */
const FOLDERS_PER_LOOK = 200
const FILES_PER_LOOK = 2000

/** Changing what is hashed makes every folder look changed once. */
const LISTING_FORM = 'phlix-listing-1'
export const UNRELIABLE_LISTING = Buffer.alloc(32)

/**
 * Walks the library's folders and compares what is there with what the catalogue knows. Yields new and changed files, and after
 * the files of a folder the folder itself. A folder that lists exactly what it listed before is one row, not a look per file.
 */
export async function* discover(scan: Scan): AsyncGenerator<FoundFile | SeenFolder> {
  for (const root of scan.roots) {
    if (!root.isAvailable) {
      scan.unverified.add(root.path)
      continue
    }
    try {
      for await (const folders of inLooks(walk(scan, root.path))) yield* compare(scan, root.path, folders)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      // Gone between the guard's look and ours; `finish` looks again and says so.
      scan.unverified.add(root.path)
    }
  }
}

async function* walk({ kind, counters, unverified, signal }: Scan, root: string): AsyncGenerator<WalkedFolder> {
  for await (const folder of walkFolder(root, { isWanted: (name) => kind.isMedia(name), signal })) {
    const files = folder.files.filter(({ path }) => kind.isItem(relative(root, path)))
    counters.found += files.length
    if (!folder.isComplete) unverified.add(folder.path)
    yield { ...folder, files }
  }
}

async function* inLooks(folders: AsyncIterable<WalkedFolder>): AsyncGenerator<WalkedFolder[]> {
  let look: WalkedFolder[] = []
  let fileCount = 0
  for await (const folder of folders) {
    look.push(folder)
    fileCount += folder.files.length
    if (look.length < FOLDERS_PER_LOOK && fileCount < FILES_PER_LOOK) continue
    yield look
    look = []
    fileCount = 0
  }
  if (look.length > 0) yield look
}

async function* compare(
  scan: Scan,
  root: string,
  folders: readonly WalkedFolder[],
): AsyncGenerator<FoundFile | SeenFolder> {
  const { job, services } = scan
  const { libraryId } = job
  const paths = folders.map(({ path }) => path)
  const remembered = new Map(
    (await selectFolders(services.db, { libraryId, paths })).map((folder) => [folder.path, folder]),
  )
  const looks = folders.map((folder) => {
    const listingHash = folder.isComplete ? hashListing(folder.files) : UNRELIABLE_LISTING
    return { folder, listingHash, isUnchanged: isUnchanged(scan, listingHash, remembered.get(folder.path)) }
  })
  const changed = looks.filter((look) => !look.isUnchanged).map(({ folder }) => folder.path)
  const known = groupByFolder(await findFilesInFolders(services.db, { libraryId, folders: changed }))
  for (const { folder, listingHash, isUnchanged } of looks) {
    if (isUnchanged) yield seenFolder(folder, listingHash, folder.files.length)
    else yield* compareFolder(scan, { root, folder, listingHash }, known.get(folder.path) ?? [])
  }
}

/** A rescan looks at every file once, also when it goes on after its worker died. */
function isUnchanged({ job }: Scan, listingHash: Buffer, remembered: RememberedFolder | undefined): boolean {
  if (remembered === undefined || listingHash === UNRELIABLE_LISTING) return false
  return remembered.listingHash.equals(listingHash) && (job.type === 'scan' || remembered.seenBy === job.id)
}

function* compareFolder(
  scan: Scan,
  { root, folder, listingHash }: { root: string; folder: WalkedFolder; listingHash: Buffer },
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
  yield { ...seenFolder(folder, listingHash, unchangedCount), absentIds, returnedIds }
}

/** New size or time; a rescan also tries again what has never been read (document 1, job semantics 2). */
function needsProbing({ job }: Scan, file: WalkedFile, row: KnownFile): boolean {
  if (row.sizeBytes !== file.sizeBytes || row.modifiedAtNanoseconds !== file.modifiedAtNanoseconds) return true
  return job.type === 'rescan' && !row.hasSource
}

function seenFolder({ path, files, problems }: WalkedFolder, listingHash: Buffer, unchangedCount: number): SeenFolder {
  return {
    kind: 'folder',
    path,
    listingHash,
    fileCount: files.length,
    unchangedCount,
    absentIds: [],
    returnedIds: [],
    problems,
  }
}

function hashListing(files: readonly WalkedFile[]): Buffer {
  const hash = createHash('sha256').update(LISTING_FORM)
  for (const { name, sizeBytes, modifiedAtNanoseconds } of files) {
    hash.update(`\0${name}\0${sizeBytes}\0${modifiedAtNanoseconds}`)
  }
  return hash.digest()
}

function groupByFolder(files: readonly KnownFile[]): Map<string, KnownFile[]> {
  return Map.groupBy(files, ({ path }) => dirname(path))
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === fileErrors.folder_unavailable.definition.code
}
