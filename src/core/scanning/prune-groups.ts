import { removeEmptyGroups } from '../catalogue/index.ts'
import type { JobRun } from './job-run.ts'
import { lockOwnJob } from './progress.ts'
import { distrustFolders } from './queries/folders.ts'

/**
 * Removes series, seasons and other groups that nothing belongs to any more. The folders that told about them are looked at again by the
 * next scan: should a group come back, what they say has to be there again.
 */
export async function pruneGroups({ job, services }: JobRun): Promise<void> {
  await services.db.transaction(async (connection) => {
    await lockOwnJob(connection, job)
    const pathHashes = await removeEmptyGroups(connection, job.libraryId)
    if (pathHashes.length > 0) await distrustFolders(connection, { libraryId: job.libraryId, pathHashes })
  })
}
