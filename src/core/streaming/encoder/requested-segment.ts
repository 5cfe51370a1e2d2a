import type { SegmentReference } from '../cache/segment-cache.ts'
import type { OpenJob } from '../cache/open-jobs.ts'
import type { Rendition } from '../job/rendition.ts'

/** A requested segment, and its path in the cache. */
export type RequestedSegment = Readonly<{
  job: OpenJob
  jobId: string
  rendition: Rendition
  index: number
  path: string
}>

/** The place of a segment in the cache. */
export function toSegmentReference({ jobId, job, rendition, index }: RequestedSegment): SegmentReference {
  return { jobId, rendition: job.hasLadder ? rendition.id : null, index }
}
