import { getItem, listItemParts, type MediaItemDetail } from '../../catalogue/index.ts'
import type { GetLibraryPaths } from '../../libraries/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import {
  listSubtitleTracks,
  joinSubtitleFiles,
  findContinuingTrack,
  type EmbeddedSubtitleReader,
  type SubtitleFilePart,
} from '../../subtitles/index.ts'
import { streamingErrors } from '../errors.ts'
import { jobDirectory } from '../job/job-directory.ts'
import { findTranscodeJob } from '../job/queries.ts'
import { streamClockOrigin } from '../timeline/stream-clock.ts'
import { readStreamPlan, type StreamPlan, type StreamSubtitle } from '../job/stream-plan.ts'
import { isSameTrack } from '../job/stream-subtitles.ts'
import { isTranscodeJobId } from '../job/transcode-job.ts'

type Services = {
  db: Database
  getLibraryPaths: GetLibraryPaths
  config: Pick<Config, 'dataDirectory'>
  subtitles: EmbeddedSubtitleReader
}

/**
 * Returns the text of one of a job's subtitle tracks as WebVTT, on the clock of the job's segments (RFC 8216, 3.5). For a film of several
 * files the texts are concatenated.
 * @param input.part index of the film's file, from 0; null for all files
 * @throws AppError `transcode_job_not_found`, `stream_file_not_found` for a track that does not exist or whose file is missing, and the
 * errors of reading the track
 */
export async function readStreamSubtitle(
  services: Services,
  { jobId, index, part }: { jobId: string; index: number; part: number | null },
): Promise<string> {
  const job = isTranscodeJobId(jobId) ? await findTranscodeJob(services.db, jobId) : undefined
  if (job === undefined) throw streamingErrors.transcode_job_not_found()
  const plan = await readStreamPlan(jobDirectory(services.config, job.id))
  const wanted = plan?.subtitles.find((subtitle) => subtitle.index === index)
  if (plan === undefined || wanted === undefined) throw streamingErrors.stream_file_not_found()
  if (part !== null && part > plan.parts.length) throw streamingErrors.stream_file_not_found()
  const item = await getItem(services, job.mediaItemId)
  const starts = [0, ...plan.parts.map(({ startMicroseconds }) => startMicroseconds)]
  return joinSubtitleFiles(services, await piecesOf(services, { item, plan, wanted }), {
    streamClockTicks: streamClockOrigin(plan),
    ...(part !== null && { fromMicroseconds: starts[part] ?? 0, untilMicroseconds: starts[part + 1] ?? Infinity }),
  })
}

/** Returns the texts of a track, one for each file of the film that has it. */
async function piecesOf(
  services: Services,
  { item, plan, wanted }: { item: MediaItemDetail; plan: StreamPlan; wanted: StreamSubtitle },
): Promise<SubtitleFilePart[]> {
  const tracks = await listSubtitleTracks(services, item)
  // The item's track numbers may have changed since the job was made.
  const track = tracks.find((one) => isSameTrack(wanted, one))
  if (track === undefined) throw streamingErrors.stream_file_not_found()
  const pieces: SubtitleFilePart[] = [{ item, index: track.index, clock: plan.source, startMicroseconds: 0 }]
  const parts = plan.parts.length === 0 ? [] : await listItemParts(services, item.id)
  for (const { itemId, jobId, startMicroseconds } of plan.parts) {
    const part = parts.find(({ id }) => id === itemId)
    const partPlan = await readStreamPlan(jobDirectory(services.config, jobId))
    if (part === undefined || partPlan === undefined) continue
    const same = findContinuingTrack(track, tracks, await listSubtitleTracks(services, part))
    if (same === undefined) continue
    pieces.push({ item: part, index: same.index, clock: partPlan.source, startMicroseconds })
  }
  return pieces
}
