import { getItem } from '../catalogue/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { listSubtitleTracks, readSubtitleTrack, type EmbeddedTexts } from '../subtitles/index.ts'
import { streamingErrors } from './errors.ts'
import { jobDirectory } from './job-directory.ts'
import { findJob } from './queries.ts'
import { readStreamJob } from './stream-job.ts'
import { isSameTrack } from './stream-subtitles.ts'
import { isJobId } from './transcode-job.ts'

type Services = { db: Database; config: Pick<Config, 'dataDirectory'>; subtitles: EmbeddedTexts }

/**
 * The whole text of one of a job's subtitle tracks as WebVTT on the clock of the job's segments (RFC 8216, 3.5).
 * @throws AppError `transcode_job_not_found`, `stream_file_not_found` for a track that the job has not or whose file has gone, and those
 *   of reading the track
 */
export async function readStreamSubtitle(
  services: Services,
  { jobId, index }: { jobId: string; index: number },
): Promise<string> {
  const job = isJobId(jobId) ? await findJob(services.db, jobId) : undefined
  if (job === undefined) throw streamingErrors.transcode_job_not_found()
  const plan = await readStreamJob(jobDirectory(services.config, job.id))
  const wanted = plan?.subtitles.find((subtitle) => subtitle.index === index)
  if (plan === undefined || wanted === undefined) throw streamingErrors.stream_file_not_found()
  const item = await getItem(services, job.mediaItemId)
  // What the item counts may have moved since the job was made.
  const track = (await listSubtitleTracks(services, item)).find((one) => isSameTrack(wanted, one))
  if (track === undefined) throw streamingErrors.stream_file_not_found()
  return readSubtitleTrack(services, { item, index: track.index, clock: plan.source })
}
