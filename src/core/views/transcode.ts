import { toIsoTimestamp } from '../platform/time/index.ts'
import type { TranscodeSummary } from '../streaming/index.ts'

/** A transcode job in the list of all jobs. */
export function transcodeSummaryView(job: TranscodeSummary) {
  return {
    id: job.id,
    media_item_id: job.mediaItemId,
    item_name: job.itemName,
    profile: job.profile,
    status: job.status,
    encoders: job.encoders,
    encoded_segments: job.encodedSegments,
    percent: job.percent,
    created_at: toIsoTimestamp(job.createdAt),
    last_used_at: toIsoTimestamp(job.lastUsedAt),
  }
}
