import {
  createLibrary,
  updateLibrary,
  type Library,
  type LibraryChanges,
  type NewLibrary,
} from '../../libraries/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { DiskThreads } from '../../platform/files/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { ScanJob } from '../job/scan-job.ts'
import { queueScan } from './queue-scan.ts'
import { queueConfiguredAnalysis } from './queue-analysis.ts'

/** Without `jobs` the row of the job is written and no worker is notified: the next daemon takes the job when it starts. */
type Dependencies = {
  db: Database
  config: Pick<Config, 'dataDirectory'>
  clock: Clock
  diskThreads: DiskThreads
  jobs?: JobQueue
}

/**
 * Creates a library and queues its first scan.
 * @param options.isScanWanted if false, nothing is queued and the library stays empty until a scan is requested
 * @throws the errors of `createLibrary`
 */
export async function createLibraryAndScan(
  services: Dependencies,
  input: NewLibrary,
  { isScanWanted }: { isScanWanted: boolean },
): Promise<{ library: Library; scan: ScanJob | undefined }> {
  const library = await createLibrary(services, input)
  const scan = isScanWanted
    ? await queueScan(services, { libraryId: library.id, type: 'scan', isAutomatic: true })
    : undefined
  return { library, scan }
}

/**
 * Changes a library, and queues a scan if folders were added or removed, else the analysis that its options ask for.
 * @param change.requestedBy id of the requesting account
 * @throws the errors of `updateLibrary`
 */
export async function updateLibraryAndScan(
  services: Dependencies,
  { requestedBy, ...changes }: LibraryChanges & { libraryId: string; requestedBy?: string | undefined },
): Promise<{ library: Library; scan: ScanJob | undefined }> {
  const { library, arePathsChanged } = await updateLibrary(services, changes)
  const scan = arePathsChanged
    ? await queueScan(services, { libraryId: library.id, type: 'scan', requestedBy, isAutomatic: true })
    : undefined
  // A scan queues the analysis at its end.
  if (!arePathsChanged) await queueConfiguredAnalysis(services, library.id)
  return { library, scan }
}
