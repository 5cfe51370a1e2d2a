import { openInsideRoot } from '../../platform/files/index.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import { streamingErrors } from '../errors.ts'
import { hasJobDirectory } from '../job/job-directory.ts'
import { toSegmentReference, type RequestedSegment } from './requested-segment.ts'

/**
 * Checks the conditions for an encoder to start or resume: its job exists, the source is a file of its library, and the disk has free
 * space, for which segments may be evicted. Each of them may have changed while the encoder was suspended.
 * @throws AppError `transcode_job_not_found`, `disk_space_low`, and the errors of opening the source
 */
export async function checkStartConditions(
  cache: Pick<SegmentCache, 'ensureFreeSpace'>,
  wanted: RequestedSegment,
): Promise<void> {
  const { directory, plan } = wanted.job
  if (!(await hasJobDirectory(directory))) throw streamingErrors.transcode_job_not_found()
  // Opened only to verify that the path still leads to a file of the library.
  await (await openInsideRoot(plan.source.root, plan.source.path)).close()
  await cache.ensureFreeSpace(toSegmentReference(wanted))
}
