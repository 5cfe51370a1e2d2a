import { findFilesInFolders, removeSidecars, setFilesMissingSince } from '../../catalogue/index.ts'
import { lockClaimedJob } from '../claim/job-progress.ts'
import { deleteFolders, selectFolderPage } from '../queries/folders.ts'
import { areRootsUnchanged, isPathStateKnown, pruneMissingItems } from './remove-missing.ts'
import { applyMoves } from './apply-moves.ts'
import { ROOT_UNAVAILABLE } from '../walk/root-guard.ts'
import type { ScanState } from '../job/scan-state.ts'

const FOLDERS_PER_PAGE = 2000

/**
 * Processes files that were not found: marks them missing. A rescan also moves the rows of moved files and removes files that are really
 * gone.
 * @returns undefined, or the reason why nothing was removed
 */
export async function reconcileFiles(scan: ScanState): Promise<string | undefined> {
  if (!(await areRootsUnchanged(scan))) return ROOT_UNAVAILABLE
  await removeUnseenFolders(scan)
  // Moves cannot be determined while a root is unavailable; `finishScan` reports the root.
  if (scan.job.type !== 'rescan' || scan.roots.some((root) => !root.isAvailable)) return undefined
  await applyMoves(scan)
  return pruneMissingItems(scan)
}

/** Removes folders that this job did not find, and marks their files as missing. Folders that could not be read are skipped. */
async function removeUnseenFolders(scan: ScanState): Promise<void> {
  const { libraryId } = scan.job
  let after: Buffer | null = null
  for (;;) {
    scan.signal.throwIfAborted()
    const page = await selectFolderPage(scan.services.db, { libraryId, after, limit: FOLDERS_PER_PAGE })
    const unseen = page.filter(({ pathHash }) => !scan.seenFolders.has(pathHash)).map(({ path }) => path)
    const gone = unseen.filter((path) => isPathStateKnown(scan, path))
    if (gone.length > 0) await removeFolders(scan, gone)
    after = page.at(-1)?.pathHash ?? null
    if (page.length < FOLDERS_PER_PAGE) return
  }
}

async function removeFolders({ job, services }: ScanState, paths: readonly string[]): Promise<void> {
  const { libraryId } = job
  const files = await findFilesInFolders(services.db, { libraryId, folders: paths })
  await services.db.transaction(async (connection) => {
    await lockClaimedJob(connection, job)
    const ids = files.filter((file) => !file.isMissing).map(({ id }) => id)
    await setFilesMissingSince(connection, { ids, missingSince: job.startedAt })
    await removeSidecars(connection, { libraryId, folders: paths })
    await deleteFolders(connection, { libraryId, paths })
  })
}
