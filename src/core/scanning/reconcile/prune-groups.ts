import { removeEmptyGroups } from '../../catalogue/index.ts'
import type { JobRun } from '../job/job-run.ts'
import { lockClaimedJob } from '../claim/job-progress.ts'
import { invalidateFolderListings } from '../queries/folders.ts'

/**
 * Removes series, seasons and other groups without members. The listings of the folders that described them are invalidated, so that the
 * description is read again if the group returns.
 */
export async function pruneGroups({ job, services }: JobRun): Promise<void> {
  await services.db.transaction(async (connection) => {
    await lockClaimedJob(connection, job)
    const pathHashes = await removeEmptyGroups(connection, job.libraryId)
    if (pathHashes.length > 0) await invalidateFolderListings(connection, { libraryId: job.libraryId, pathHashes })
  })
}
