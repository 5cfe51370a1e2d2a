import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { streamingErrors } from '../errors.ts'
import { readSegmentFailure } from '../segments/failure-marker.ts'
import { jobDirectory, listFolderNames } from '../job/job-directory.ts'
import { findTranscodeJob } from '../job/queries.ts'
import { renditionSegmentCount } from '../timeline/rendition-segments.ts'
import { listPlayedRenditions, type Rendition } from '../job/rendition.ts'
import { MASTER_PLAYLIST_NAME, parseStreamFile } from '../job/segment-name.ts'
import { readStreamPlan, type StreamPlan, type StreamPart, type StreamSubtitle } from '../job/stream-plan.ts'
import { visibleSubtitles } from '../job/stream-subtitles.ts'
import { isTranscodeJobId, type TranscodeJob, type TranscodeStatus } from '../job/transcode-job.ts'

/** A job, and its files on disk. */
export type TranscodeProgress = {
  job: TranscodeJob
  /**
   * `completed` as soon as all segments of a rendition exist, which playback does not require; `failed` if the last requested segment
   * could not be made.
   */
  status: TranscodeStatus
  isPlaylistReady: boolean
  /** Number of encoded segments of the most complete rendition, in all files of the film. */
  encodedSegments: number
  /** 0 to 100. */
  percent: number
  /** Text tracks of the job. */
  subtitles: readonly StreamSubtitle[]
}

type Services = { db: Database; config: Pick<Config, 'dataDirectory'> }

/**
 * Returns the progress of a job, derived from its files, so that the result survives a restart.
 * @throws AppError `transcode_job_not_found`; an id that is not a UUID is rejected without a query
 */
export async function getTranscodeProgress(services: Services, jobId: string): Promise<TranscodeProgress> {
  const job = isTranscodeJobId(jobId) ? await findTranscodeJob(services.db, jobId) : undefined
  if (job === undefined) throw streamingErrors.transcode_job_not_found()
  return readJobProgress(services, job)
}

/** Returns the progress of a loaded job. */
export async function readJobProgress(
  { config }: Pick<Services, 'config'>,
  job: TranscodeJob,
): Promise<TranscodeProgress> {
  const directory = jobDirectory(config, job.id)
  const names = await listFolderNames(directory)
  const plan = await readStreamPlan(directory)
  const parts = plan === undefined ? [] : await readParts({ config }, plan)
  const { present, total } = furthest(job, plan, { counts: countSegments(names), parts })
  const isComplete = total > 0 && present === total
  const directories = [directory, ...parts.map((part) => part.directory)]
  return {
    job,
    status: job.status === 'running' ? await runningStatus(directories, isComplete) : job.status,
    isPlaylistReady: names.includes(MASTER_PLAYLIST_NAME),
    encodedSegments: present,
    percent: total === 0 ? 0 : Math.floor((100 * present) / total),
    subtitles: plan === undefined ? [] : visibleSubtitles(plan),
  }
}

type Counts = ReadonlyMap<string | null, number>

/** The files on disk of the job of a further file. */
type PartOnDisk = {
  directory: string
  renditions: StreamPart['renditions']
  plan: StreamPlan | undefined
  counts: Counts
}

async function readParts({ config }: Pick<Services, 'config'>, { parts }: StreamPlan): Promise<PartOnDisk[]> {
  return Promise.all(
    parts.map(async ({ jobId, renditions }) => {
      const directory = jobDirectory(config, jobId)
      const counts = countSegments(await listFolderNames(directory))
      return { directory, renditions, plan: await readStreamPlan(directory), counts }
    }),
  )
}

/** Returns `failed` if a segment of one of the job's files could not be made and none has been made since. */
async function runningStatus(directories: readonly string[], isComplete: boolean): Promise<TranscodeStatus> {
  if (isComplete) return 'completed'
  const failures = await Promise.all(directories.map((directory) => readSegmentFailure(directory)))
  return failures.every((failure) => failure === undefined) ? 'running' : 'failed'
}

type Share = { present: number; total: number }

/** Returns the rendition with the largest fraction of existing segments. */
function furthest(
  job: TranscodeJob,
  plan: StreamPlan | undefined,
  { counts, parts }: { counts: Counts; parts: readonly PartOnDisk[] },
): Share {
  let best: Share = { present: 0, total: 0 }
  if (plan === undefined) return best
  for (const rendition of listPlayedRenditions(plan.renditions)) {
    const shares = [
      shareOf(plan, rendition, counts.get(job.variants === null ? null : rendition.id)),
      ...parts.map((part) => {
        const following = part.plan?.renditions.find(({ id }) => id === part.renditions[rendition.id])
        return shareOf(part.plan, following, part.counts.get(following?.id ?? null))
      }),
    ]
    const total = shares.reduce((sum, share) => sum + share.total, 0)
    const present = shares.reduce((sum, share) => sum + share.present, 0)
    if (best.total === 0 || present / total > best.present / best.total) best = { present, total }
  }
  return best
}

function shareOf(plan: StreamPlan | undefined, rendition: Rendition | undefined, count = 0): Share {
  const total = plan === undefined || rendition === undefined ? 0 : renditionSegmentCount(plan, rendition)
  return { present: Math.min(total, count), total }
}

function countSegments(names: readonly string[]): Map<string | null, number> {
  const counts = new Map<string | null, number>()
  for (const name of names) {
    const file = parseStreamFile(name)
    if (file?.kind === 'segment') counts.set(file.rendition, (counts.get(file.rendition) ?? 0) + 1)
  }
  return counts
}
