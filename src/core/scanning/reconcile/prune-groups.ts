import { removeEmptyGroups } from '../../catalogue/index.ts'
import type { JobRun } from '../job/job-run.ts'
import { lockOwnJob } from '../claim/progress.ts'
import { invalidateFolders } from '../queries/folders.ts'

/**
 * Removes series, seasons and other groups without members. The listings of the folders that described them are invalidated, so that the
 * description is read again if the group returns.
 */
export async function pruneGroups({ job, services }: JobRun): Promise<void> {
  await services.db.transaction(async (connection) => {
    await lockOwnJob(connection, job)
    const pathHashes = await removeEmptyGroups(connection, job.libraryId)
    if (pathHashes.length > 0) await invalidateFolders(connection, { libraryId: job.libraryId, pathHashes })
  })
}
