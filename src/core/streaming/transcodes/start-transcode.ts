import { isDeepStrictEqual } from 'node:util'
import { getItem, listItemParts, type MediaItemDetail } from '../../catalogue/index.ts'
import type { GetLibraryPaths } from '../../libraries/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import { readSetting } from '../../platform/settings/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { ReaderPool } from '../../probing/index.ts'
import { listOtherTracks, listSubtitleTracks } from '../../subtitles/index.ts'
import { resolveDeviceProfile } from '../job/device-profiles.ts'
import { jobDirectory } from '../job/job-directory.ts'
import { nextFileStartMicroseconds, joinParts, type JoinedPart, type FollowingPart } from '../playlist/join-parts.ts'
import { streamingErrors } from '../errors.ts'
import { loudnessForPlan, makePlan, loadFilePlanInput, type FilePlanInput } from '../plan/make-plan.ts'
import { detectHdrTransfer } from '../plan/plan-stream.ts'
import { markTranscodeJobCancelled, findRunningTranscodeJob, linkPartJobs, markJobUsed } from '../job/queries.ts'
import { defaultAudioTrack, readStreamPlan, type StreamPlan } from '../job/stream-plan.ts'
import { assignSubtitleNumbers } from '../job/stream-subtitles.ts'
import type { TranscodeJob } from '../job/transcode-job.ts'
import { readJobProgress, type TranscodeProgress } from './transcode-progress.ts'
import { createTranscodeJob, writeTranscodeJobFiles } from './create-transcode-job.ts'

type Services = {
  db: Database
  getLibraryPaths: GetLibraryPaths
  clock: Clock
  config: Config
  log: Logger
  mediaTools: Pick<MediaTools, 'listPackets'>
  readers: ReaderPool
}

export type TranscodeStartInput = {
  itemId: string
  /** Name of a device profile; takes precedence over the device type. */
  profile?: string | undefined
  /** Value of the device type header. */
  deviceType?: string | undefined
  /** `index` of the bitmap subtitles to burn into the video. */
  subtitle?: number | undefined
}

/** The first file of a film, and the files that follow it. */
type FilmPlanInput = { own: FilePlanInput; parts: readonly FilePlanInput[] }

/**
 * Makes an item playable for a kind of device, with all its files: plans its grid and renditions and writes the playlists. Nothing is
 * encoded yet. A valid job of the same item and profile is reused.
 * @throws AppError `media_item_not_found`, `not_transcodable`, `subtitle_not_drawable`, and the errors of opening the files
 */
export async function startTranscode(
  services: Services,
  input: TranscodeStartInput,
): Promise<TranscodeProgress & { isReused: boolean }> {
  const item = await getItem(services, input.itemId)
  const target = {
    profile: resolveDeviceProfile(input),
    mapsTones: (await readSetting(services, 'hls.tone_mapping')) !== 'none',
  }
  const burnedStream = await findBurnedStream(services, item, input.subtitle)
  const own = await loadFilePlanInput(services, item, { ...target, audioLanguage: null, burnedStream })
  const planInput = { own, parts: await partPlanInputs(services, own) }
  if (burnedStream !== null && (own.film === undefined || planInput.parts.length > 0)) {
    throw streamingErrors.subtitle_not_drawable({ message: 'subtitles are drawn into films of one file only' })
  }
  let film: PlannedFilm | undefined
  // Concurrent starts may both find no valid job. One of them inserts the row and the other finds it in the next iteration.
  for (;;) {
    const running = await findRunningJobOf(services, own)
    if (running !== undefined && (await reuseJob(services, running, planInput))) {
      return { ...(await readJobProgress(services, running)), isReused: true }
    }
    film ??= await planFilm(services, planInput)
    if (running !== undefined) await markTranscodeJobCancelled(services.db, running.id)
    const job = await createTranscodeJob(services, { mediaItemId: item.id, profile: target.profile, ...film })
    if (job === undefined) continue
    await linkPartJobs(services.db, { filmJobId: job.id, jobIds: film.plan.parts.map(({ jobId }) => jobId) })
    return { ...(await readJobProgress(services, job)), isReused: false }
  }
}

/** Returns the stream of the subtitles to burn in, or null for none. */
async function findBurnedStream(
  services: Services,
  item: MediaItemDetail,
  index: number | undefined,
): Promise<number | null> {
  if (index === undefined) return null
  const track = (await listOtherTracks(services, item)).find((one) => one.index === index)
  if (track?.streamIndex == null || !track.canBeBurnedIn) throw streamingErrors.subtitle_not_drawable()
  return track.streamIndex
}

/**
 * Returns the further files of a film, with audio in the language of the first file, which the master playlist announces for the whole
 * film. A missing file is omitted; a start after its return includes it again.
 */
async function partPlanInputs(services: Services, own: FilePlanInput): Promise<FilePlanInput[]> {
  const { profile, mapsTones } = own
  const target = { profile, mapsTones, audioLanguage: own.sound?.language ?? null, burnedStream: null }
  const planInputs = await Promise.all(
    (await listItemParts(services, own.item.id)).map(async (part) => {
      try {
        return await loadFilePlanInput(services, part, target)
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'file_not_found')) throw error
        services.log.warning(
          { item: own.item.id, part: part.id },
          'a file of a film is not there; it is played without',
        )
        return []
      }
    }),
  )
  return planInputs.flat()
}

type PlannedFilm = { plan: StreamPlan; joined: readonly JoinedPart[] }

/**
 * Plans a film. Copied video is offered only if every file can be copied; otherwise players would have to switch between copied and
 * encoded video at a file boundary.
 */
async function planFilm(services: Services, { own, parts }: FilmPlanInput): Promise<PlannedFilm> {
  const first = await makePlan(services, own)
  const following: FollowingPart[] = []
  for (const part of parts) {
    const startMicroseconds = nextFileStartMicroseconds(following.at(-1)?.plan ?? first)
    following.push(await ensurePartJob(services, part, startMicroseconds))
  }
  const isCopied = following.every(({ plan }) => plan.copy !== null)
  const plan = joinParts(isCopied ? first : await makePlan(services, own, { allowsCopy: false }), following)
  const joined = plan.parts.flatMap((part, index) => {
    const planned = following[index]?.plan
    return planned === undefined ? [] : [{ part, plan: planned }]
  })
  return { plan, joined }
}

/** Returns the job of a further file of a film, which begins where the previous file ends: the running job, or a new job. */
async function ensurePartJob(
  services: Services,
  planInput: FilePlanInput,
  startMicroseconds: number,
): Promise<FollowingPart> {
  const { id: itemId } = planInput.item
  let plan: StreamPlan | undefined
  for (;;) {
    const running = await findRunningJobOf(services, planInput)
    const current = running === undefined ? undefined : await readValidPlan(services, running, planInput)
    if (running !== undefined && isPartAt(current, planInput, startMicroseconds))
      return { jobId: running.id, itemId, plan: current }
    plan ??= { ...(await makePlan(services, planInput)), startMicroseconds }
    if (running !== undefined) await markTranscodeJobCancelled(services.db, running.id)
    const job = await createTranscodeJob(services, {
      mediaItemId: itemId,
      profile: planInput.profile,
      plan,
      joined: [],
    })
    if (job !== undefined) return { jobId: job.id, itemId, plan }
  }
}

/** Returns whether a plan begins at this position and plays this track. A job that was started for the file alone may differ. */
function isPartAt(
  plan: StreamPlan | undefined,
  { film, sound }: FilePlanInput,
  startMicroseconds: number,
): plan is StreamPlan {
  if (plan?.startMicroseconds !== startMicroseconds || plan.parts.length > 0) return false
  return defaultAudioTrack(plan)?.streamIndex === (sound?.streamIndex ?? film?.audioStreamIndex ?? undefined)
}

async function findRunningJobOf(
  { db }: Services,
  { item, profile, burnedStream }: FilePlanInput,
): Promise<TranscodeJob | undefined> {
  return findRunningTranscodeJob(db, { mediaItemId: item.id, profile: profile.name, burnedStream })
}

/**
 * Returns the plan of a job if its files exist and it was made for the current version of the file with the current tone mapping and
 * loudness.
 */
async function readValidPlan(
  services: Services,
  job: TranscodeJob,
  planInput: FilePlanInput,
): Promise<StreamPlan | undefined> {
  const { file, film, mapsTones } = planInput
  const { isPlaylistReady } = await readJobProgress(services, job)
  const plan = await readStreamPlan(jobDirectory(services.config, job.id))
  if (!isPlaylistReady || plan === undefined) return undefined
  const { path, sizeBytes, modifiedAtNanoseconds } = plan.source
  if (path !== file.path || sizeBytes !== file.sizeBytes) return undefined
  if (modifiedAtNanoseconds !== file.modifiedAtNanoseconds) return undefined
  const hdrTransfer = film === undefined || !mapsTones ? null : detectHdrTransfer(film)
  if (plan.source.hdrTransfer !== hdrTransfer) return undefined
  return isDeepStrictEqual(await loudnessForPlan(services, plan), plan.loudness) ? plan : undefined
}

/**
 * Returns whether a job can be reused with all files of the film. Subtitles that were added or removed meanwhile are listed again and
 * keep their numbers.
 */
async function reuseJob(services: Services, job: TranscodeJob, planInput: FilmPlanInput): Promise<boolean> {
  const plan = await readValidPlan(services, job, planInput.own)
  const joined = plan === undefined ? undefined : await readJoined(services, plan, planInput.parts)
  if (plan === undefined || joined === undefined) return false
  const subtitles = assignSubtitleNumbers(await listSubtitleTracks(services, planInput.own.item), plan.subtitles)
  if (!isDeepStrictEqual(subtitles, plan.subtitles)) {
    await writeTranscodeJobFiles(jobDirectory(services.config, job.id), { ...plan, subtitles }, joined)
  }
  await markJobUsed(services.db, { id: job.id, now: services.clock.now() })
  return true
}

/** Returns the further files of a job; undefined if one has been changed, added or removed since. */
async function readJoined(
  services: Services,
  { parts, startMicroseconds }: StreamPlan,
  planInputs: readonly FilePlanInput[],
): Promise<JoinedPart[] | undefined> {
  if (parts.length !== planInputs.length || (planInputs.length > 0 && startMicroseconds > 0)) return undefined
  const joined: JoinedPart[] = []
  for (const [index, planInput] of planInputs.entries()) {
    const part = parts[index]
    const running = await findRunningJobOf(services, planInput)
    if (part === undefined || running?.id !== part.jobId) return undefined
    const plan = await readValidPlan(services, running, planInput)
    if (!isPartAt(plan, planInput, part.startMicroseconds)) return undefined
    joined.push({ part, plan })
  }
  return joined
}
