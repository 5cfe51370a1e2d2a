import type { Library } from '../../core/libraries/index.ts'
import type { CoreServices } from '../../core/core-services.ts'

/**
 * Queues the first scan if a server runs. Without a server the job would stay queued, and `library:scan` would find the library busy.
 * @returns the job id; null without a server
 */
export async function queueIfServerRuns(
  { db, clock, jobs, connectionUri }: Pick<CoreServices, 'db' | 'clock' | 'jobs' | 'connectionUri'>,
  library: Library,
): Promise<string | null> {
  const [{ queueScan }, { isDaemonRunning }] = await Promise.all([
    import('../../core/scanning/index.ts'),
    import('../../core/daemon-lock.ts'),
  ])
  if (!(await isDaemonRunning({ connectionUri }))) return null
  return (await queueScan({ db, clock, jobs }, { libraryId: library.id, type: 'scan', isAutomatic: true })).id
}
