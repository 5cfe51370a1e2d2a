import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { moveProgress } from '../../audiobooks/index.ts'
import {
  countFiles,
  findFilesInFolders,
  findMoveCandidates,
  forgetSidecars,
  listMissingFiles,
  markFiles,
  removeMissingItems,
  repointItem,
} from '../../catalogue/index.ts'
import { movePlaces } from '../../playback/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { moveUserData } from '../../user-items/index.ts'
import { matchMoves } from '../match-moves.ts'
import { advance, lockOwnJob } from '../progress.ts'
import { deleteFolders, selectFolderPage } from '../queries/folders.ts'
import { isSameRoot, ROOT_UNAVAILABLE } from '../root-guard.ts'
import type { Scan } from '../scan.ts'

const FOLDERS_PER_PAGE = 2000
const FILES_PER_PAGE = 100

/** More than this share of a library, and more than this many items, missing at once looks like an outage (decisions 3.5). */
const MOST_MISSING_SHARE = 0.2
const MOST_MISSING_ITEMS = 50

/**
 * Deals with what was not found: marks it missing; on a rescan lets moved files keep their rows and removes what is really gone.
 * @returns undefined, or why nothing was removed
 */
export async function reconcile(scan: Scan): Promise<string | undefined> {
  if (!(await areRootsUnchanged(scan))) return ROOT_UNAVAILABLE
  await forgetUnseenFolders(scan)
  // With one folder away nobody knows what moved where; `finish` says that it is away.
  if (scan.job.type !== 'rescan' || scan.roots.some((root) => !root.isAvailable)) return undefined
  await repointMoves(scan)
  const refusal = await judgeLoss(scan)
  return refusal ?? prune(scan)
}

/** Folders that this job did not come by: their files are absent, unless nobody could look. */
async function forgetUnseenFolders(scan: Scan): Promise<void> {
  const { libraryId } = scan.job
  let after: Buffer | null = null
  for (;;) {
    scan.signal.throwIfAborted()
    const page = await selectFolderPage(scan.services.db, { libraryId, after, limit: FOLDERS_PER_PAGE })
    const unseen = page.filter(({ pathHash }) => !scan.seenFolders.has(pathHash)).map(({ path }) => path)
    const gone = unseen.filter((path) => isVerified(scan, path))
    if (gone.length > 0) await forget(scan, gone)
    after = page.at(-1)?.pathHash ?? null
    if (page.length < FOLDERS_PER_PAGE) return
  }
}

async function forget({ job, services }: Scan, paths: readonly string[]): Promise<void> {
  const { libraryId } = job
  const files = await findFilesInFolders(services.db, { libraryId, folders: paths })
  await services.db.transaction(async (connection) => {
    await lockOwnJob(connection, job)
    const ids = files.filter((file) => !file.isMissing).map(({ id }) => id)
    await markFiles(connection, { ids, missingSince: job.startedAt })
    await forgetSidecars(connection, { libraryId, folders: paths })
    await deleteFolders(connection, { libraryId, paths })
  })
}

/** Whether everything about this path is known: it does not lie at or below something that could not be looked at. */
function isVerified({ unverified }: Scan, path: string): boolean {
  for (let place = path; ; place = dirname(place)) {
    if (unverified.has(place)) return false
    if (place === dirname(place)) return true
  }
}

async function repointMoves(scan: Scan): Promise<void> {
  const { job, services } = scan
  for (const move of matchMoves(await findMoveCandidates(services.db, job.libraryId))) {
    scan.signal.throwIfAborted()
    // The old path must really be gone: a copy is not a move.
    if (!(await isGone(move.missingPath)) || !isVerified(scan, move.missingPath)) continue
    await services.db.transaction(async (connection) => {
      await lockOwnJob(connection, job)
      await takeOver(connection, { fromId: move.foundId, toId: move.missingId })
      await repointItem(connection, { ...move, now: services.clock.now() })
    })
    scan.counters.added = Math.max(scan.counters.added - 1, 0)
  }
}

/** What people have said about the new row, and played of it, is about the film. */
async function takeOver(connection: Connection, ids: { fromId: string; toId: string }): Promise<void> {
  await movePlaces(connection, ids)
  await moveProgress(connection, ids)
  await moveUserData(connection, ids)
}

/** What is still missing after the moves, against what a person may have deleted on purpose. */
async function judgeLoss(scan: Scan): Promise<string | undefined> {
  const { job, services } = scan
  const { known, missing } = await countFiles(services.db, { libraryId: job.libraryId })
  const isTooMuch = missing > Math.max(MOST_MISSING_ITEMS, known * MOST_MISSING_SHARE)
  if (!isTooMuch || job.options.force === true) return undefined
  return `${missing} of ${known} items are missing at once: nothing was removed (a rescan with --force removes them)`
}

async function prune(scan: Scan): Promise<string | undefined> {
  const { job, services } = scan
  let afterId: string | null = null
  for (;;) {
    scan.signal.throwIfAborted()
    const page = await listMissingFiles(services.db, { libraryId: job.libraryId, afterId, limit: FILES_PER_PAGE })
    const gone: string[] = []
    for (const { id, path } of page) if (isVerified(scan, path) && (await isRemovable(scan, path))) gone.push(id)
    // After the files were looked at: had a disk been unmounted before, its folder would look different now.
    if (!(await areRootsUnchanged(scan))) return ROOT_UNAVAILABLE
    await remove(scan, gone)
    afterId = page.at(-1)?.id ?? null
    if (page.length < FILES_PER_PAGE) return undefined
  }
}

async function remove(scan: Scan, ids: readonly string[]): Promise<void> {
  const { job, services } = scan
  const counters = { ...scan.counters }
  const row = await services.db.transaction(async (connection) => {
    await lockOwnJob(connection, job)
    counters.removed += await removeMissingItems(connection, ids)
    return advance(connection, scan, { counters, currentPath: null })
  })
  Object.assign(scan.counters, counters)
  scan.onProgress(row)
}

async function areRootsUnchanged({ roots }: Scan): Promise<boolean> {
  for (const root of roots) if (root.isAvailable && !(await isSameRoot(root))) return false
  return true
}

/** Gone from the disk, or in a folder that no longer belongs to the library. */
async function isRemovable({ roots }: Scan, path: string): Promise<boolean> {
  const isInside = roots.some((root) => path.startsWith(`${root.path}/`))
  return !isInside || isGone(path)
}

/** Only a clear "no such file" counts; every other answer means that nobody knows. */
async function isGone(path: string): Promise<boolean> {
  try {
    await stat(path)
    return false
  } catch (error) {
    const code = systemErrorCode(error)
    return code === 'ENOENT' || code === 'ENOTDIR'
  }
}
