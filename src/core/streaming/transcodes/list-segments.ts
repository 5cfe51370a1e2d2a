import type { Config } from '../../platform/config/index.ts'
import { jobDirectory } from '../job/job-directory.ts'
import type { TranscodeJob } from '../job/transcode-job.ts'
import { readStreamPlan, type StreamPlan } from '../job/stream-plan.ts'
import type { SegmentRequest } from '../segments/segment-server.ts'
import { renditionSegmentCount } from '../timeline/rendition-segments.ts'

/**
 * The segments of a video rendition of a job with a ladder, then those of the further files of its film, in order. Undefined if the job has no
 * such rendition, or one of its files no longer exists.
 */
export async function listSegments(
  { config }: { config: Pick<Config, 'dataDirectory'> },
  { job, rendition }: { job: Pick<TranscodeJob, 'id'>; rendition: string },
): Promise<readonly SegmentRequest[] | undefined> {
  const plan = await readStreamPlan(jobDirectory(config, job.id))
  const own = segmentsOf(plan, { jobId: job.id, rendition })
  if (plan === undefined || own === undefined) return undefined
  const segments = [...own]
  for (const { jobId, renditions } of plan.parts) {
    const following = segmentsOf(await readStreamPlan(jobDirectory(config, jobId)), {
      jobId,
      rendition: renditions[rendition] ?? '',
    })
    if (following === undefined) return undefined
    segments.push(...following)
  }
  return segments
}

function segmentsOf(
  plan: StreamPlan | undefined,
  { jobId, rendition: id }: { jobId: string; rendition: string },
): SegmentRequest[] | undefined {
  const rendition = plan?.renditions.find((one) => one.kind === 'video' && one.id === id)
  if (plan === undefined || rendition === undefined) return undefined
  return Array.from({ length: renditionSegmentCount(plan, rendition) }, (_, index) => ({ jobId, rendition: id, index }))
}
