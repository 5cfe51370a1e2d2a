import { dirname } from 'node:path'
import { storeFolderArrangement, setFilesMissingSince, writeItems, type ItemWrite } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { createEventLoopYielder } from '../walk/event-loop-yielder.ts'
import { writeJobProgress, lockClaimedJob } from '../claim/job-progress.ts'
import { insertScanFailures, type ScanFailure } from '../queries/failures.ts'
import { upsertFolders, type FolderWrite } from '../queries/folders.ts'
import type { FolderEvent, FileReadEvent, CompletedFolder } from '../job/scan-event.ts'
import type { ScanState } from '../job/scan-state.ts'
import { folderGroupFacts, fileRelations, folderSidecars } from './folder-arrangement.ts'
import { transferUserDataToSuccessors } from './transfer-user-data.ts'
import { writeItemDetails } from './item-details.ts'
import { toItemWrite } from './item-write.ts'
import { writeLibraryTables } from './library-tables.ts'
import { UNRELIABLE_LISTING } from '../walk/discover-files.ts'

const FILES_PER_BATCH = 500
const EVENTS_PER_BATCH = 2000
const BATCH_MILLISECONDS = 1000

type Batch = {
  files: FileReadEvent[]
  folders: CompletedFolder[]
  /** Folders of earlier batches that describe a group which does not exist yet, because its first file is in a subfolder. */
  unresolvedFolders: CompletedFolder[]
  /** Files of unchanged folders, which are only counted. */
  unchangedCount: number
  lastPath: string | null
  startedAt: number
}

/**
 * Writes the results of the previous phases: one transaction per batch (500 files, 2,000 events or a second), which also updates the
 * job's counters. After a crash at most one batch is read again, and nothing is written twice.
 */
export async function storeBatches(scan: ScanState, events: AsyncIterable<FileReadEvent | FolderEvent>): Promise<void> {
  const { clock, throttle } = scan.services
  /** Folders with a file that disappeared or changed during reading; their listings are not reliable. */
  const unstableFolders = new Set<string>()
  let batch = newBatch(clock.monotonicMilliseconds())
  for await (const event of events) {
    scan.signal.throwIfAborted()
    throttle.yieldToRequests()
    take(batch, event, unstableFolders)
    if (!isDue(batch, clock.monotonicMilliseconds())) continue
    const unresolvedFolders = await write(scan, batch)
    batch = newBatch(clock.monotonicMilliseconds(), unresolvedFolders)
  }
  await write(scan, batch)
}

function newBatch(startedAt: number, unresolvedFolders: CompletedFolder[] = []): Batch {
  return { files: [], folders: [], unresolvedFolders, unchangedCount: 0, lastPath: null, startedAt }
}

function take(batch: Batch, event: FileReadEvent | FolderEvent, unstableFolders: Set<string>): void {
  batch.lastPath = event.kind === 'unchanged' ? event.lastPath : event.path
  if (event.kind === 'unchanged') {
    batch.unchangedCount += event.fileCount
  } else if (event.kind === 'folder') {
    batch.unchangedCount += event.unchangedCount
    batch.folders.push(settle(event, unstableFolders))
  } else {
    batch.files.push(event)
    if (isUnstable(event)) unstableFolders.add(dirname(event.path))
  }
}

/** The file was removed since it was listed, or is still being written. */
function isUnstable({ outcome }: FileReadEvent): boolean {
  return outcome.kind === 'gone' || (outcome.kind === 'read' && outcome.hasChanged)
}

function isDue({ files, folders, startedAt }: Batch, now: number): boolean {
  if (files.length >= FILES_PER_BATCH || files.length + folders.length >= EVENTS_PER_BATCH) return true
  return now - startedAt >= BATCH_MILLISECONDS
}

function settle(folder: CompletedFolder, unstableFolders: Set<string>): CompletedFolder {
  return unstableFolders.delete(folder.path) ? { ...folder, listingHash: UNRELIABLE_LISTING } : folder
}

/** @returns folders that describe a group which does not exist yet, and which the walk has not left */
async function write(scan: ScanState, batch: Batch): Promise<CompletedFolder[]> {
  const { files, folders, unchangedCount, lastPath } = batch
  if (lastPath === null) return []
  const arranged = [...batch.unresolvedFolders, ...folders]
  let unresolvedFolders: ReadonlySet<string> = new Set()
  const { job, library, services } = scan
  const now = services.clock.now()
  const present = files.filter((file) => file.outcome.kind !== 'gone')
  const writes = await toItemWrites(scan, present)
  const failures = failuresOf(files, folders)
  const counters = { ...scan.counters }
  const row = await services.db.transaction(async (connection) => {
    await lockClaimedJob(connection, job)
    const written = await writeItems(connection, writes, now)
    await writeItemDetails(connection, present, written)
    await markFolders(connection, scan, folders)
    unresolvedFolders = await arrangeFolders(connection, scan, { folders: arranged, now })
    await transferUserDataToSuccessors(connection, { libraryId: library.id, folders })
    await upsertFolders(connection, { libraryId: library.id, folders: folderRows(files, arranged, unresolvedFolders) })
    await writeLibraryTables(connection, scan, { files: present, written, folders: arranged })
    await insertScanFailures(connection, { jobId: job.id, failures, now })
    counters.added += written.filter(({ isNew }) => isNew).length
    counters.updated += files.length + unchangedCount
    counters.failed += failures.length
    return writeJobProgress(connection, scan, { counters, currentPath: lastPath })
  })
  // The counters are changed after the commit, because a batch that was rolled back must not be counted. The walk has increased `found`
  // meanwhile.
  Object.assign(scan.counters, { ...counters, found: scan.counters.found })
  scan.onProgress(row)
  return arranged.filter(({ path }) => unresolvedFolders.has(path) && `${lastPath}/`.startsWith(`${path}/`))
}

async function toItemWrites(scan: ScanState, files: readonly FileReadEvent[]): Promise<ItemWrite[]> {
  const yieldEventLoop = createEventLoopYielder(scan.services)
  const writes: ItemWrite[] = []
  for (const file of files) {
    await yieldEventLoop()
    writes.push(toItemWrite(scan, file))
  }
  return writes
}

/**
 * Arranges items after all files of the folders have been written.
 * @returns paths of the folders that describe a group which does not exist
 */
async function arrangeFolders(
  connection: Connection,
  { library, kind }: ScanState,
  { folders, now }: { folders: readonly CompletedFolder[]; now: Date },
): Promise<ReadonlySet<string>> {
  if (folders.length === 0) return new Set()
  const unowned = await storeFolderArrangement(connection, {
    libraryId: library.id,
    folders: folders.map(({ path }) => path),
    placements: folders.flatMap(fileRelations),
    sidecars: folders.flatMap(folderSidecars),
    groups: folders.flatMap((folder) => folderGroupFacts(kind, folder)),
    now,
  })
  return new Set([...unowned].map((path) => dirname(path)))
}

async function markFolders(
  connection: Connection,
  { job }: ScanState,
  folders: readonly CompletedFolder[],
): Promise<void> {
  // The start of the job, not the current time: items that this job finds are then not older than those that it misses (see reconcile).
  const absentIds = folders.flatMap((folder) => folder.absentIds)
  await setFilesMissingSince(connection, { ids: absentIds, missingSince: job.startedAt })
  await setFilesMissingSince(connection, { ids: folders.flatMap((folder) => folder.returnedIds), missingSince: null })
}

/**
 * Returns the folder rows. A partially written folder also gets a row, so that it is known if the process dies before the rest. A folder
 * that describes a group which does not exist gets an unreliable hash, so that the next scan reads it again.
 */
function folderRows(
  files: readonly FileReadEvent[],
  folders: readonly CompletedFolder[],
  unresolvedFolders: ReadonlySet<string>,
): FolderWrite[] {
  const rows = new Map<string, FolderWrite>()
  for (const file of files) {
    const path = dirname(file.path)
    rows.set(path, { path, listingHash: UNRELIABLE_LISTING, fileCount: 0 })
  }
  for (const { path, listingHash, fileCount } of folders) {
    rows.set(path, { path, listingHash: unresolvedFolders.has(path) ? UNRELIABLE_LISTING : listingHash, fileCount })
  }
  return [...rows.values()]
}

function failuresOf(
  files: readonly FileReadEvent[],
  folders: readonly CompletedFolder[],
): Omit<ScanFailure, 'occurredAt'>[] {
  const unreadable = files.flatMap(({ path, outcome }) =>
    outcome.kind === 'unreadable' ? [{ path, code: outcome.code, reason: outcome.reason }] : [],
  )
  return [...folders.flatMap((folder) => folder.problems), ...unreadable]
}
