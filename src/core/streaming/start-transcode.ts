import { isDeepStrictEqual } from 'node:util'
import { getItem, listItemParts, type MediaItemDetail } from '../catalogue/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import { readSetting } from '../platform/settings/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { ReaderPool } from '../probing/index.ts'
import { listOtherTracks, listSubtitleTracks } from '../subtitles/index.ts'
import { resolveDeviceProfile } from './device-profiles.ts'
import { jobDirectory } from './job-directory.ts'
import { endMicroseconds, joinParts, type JoinedPart, type PartPlan } from './join-parts.ts'
import { streamingErrors } from './errors.ts'
import { loudnessOf, makePlan, orderOf, type PlanOrder } from './make-plan.ts'
import { hdrTransferOf } from './plan-stream.ts'
import { cancelJob, findRunningJob, joinJobs, markJobUsed } from './queries.ts'
import { defaultAudioTrack, readStreamJob, type StreamJob } from './stream-job.ts'
import { numberSubtitles } from './stream-subtitles.ts'
import type { TranscodeJob } from './transcode-job.ts'
import { progressOf, type TranscodeProgress } from './transcode-progress.ts'
import { createJob, writeJobFiles } from './write-job.ts'

type Services = {
  db: Database
  clock: Clock
  config: Config
  log: Logger
  mediaTools: Pick<MediaTools, 'packets'>
  readers: ReaderPool
}

export type TranscodeStartInput = {
  itemId: string
  /** Name of a device profile; wins over the device type. */
  profile?: string | undefined
  /** Value of the device type header. */
  deviceType?: string | undefined
  /** `index` of subtitles that are pictures, to be drawn into the film. */
  subtitle?: number | undefined
}

/** A film of one file, or of several: what follows its first file. */
type FilmOrder = { own: PlanOrder; parts: readonly PlanOrder[] }

/**
 * Makes an item playable for a kind of device, with a picture or of sound alone, with all files that it consists of: plans its grid and
 * renditions and writes the playlists. Nothing is encoded yet. A job that is still valid for the same item and profile is answered again.
 * @throws AppError `media_item_not_found`, `not_transcodable`, `subtitle_not_drawable`, and those of opening the files
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
  const own = await orderOf(services, item, { ...target, soundLanguage: null, burnedStream })
  const order = { own, parts: await partOrders(services, own) }
  if (burnedStream !== null && (own.film === undefined || order.parts.length > 0)) {
    throw streamingErrors.subtitle_not_drawable({ message: 'subtitles are drawn into films of one file only' })
  }
  let film: PlannedFilm | undefined
  // Two who start at the same time may both find a stale job or none; one of them writes the row, the other then finds
  // it.
  for (;;) {
    const running = await findRunningJobOf(services, own)
    if (running !== undefined && (await renew(services, running, order))) {
      return { ...(await progressOf(services, running)), isReused: true }
    }
    film ??= await planFilm(services, order)
    if (running !== undefined) await cancelJob(services.db, running.id)
    const job = await createJob(services, { mediaItemId: item.id, profile: target.profile, ...film })
    if (job === undefined) continue
    await joinJobs(services.db, { filmJobId: job.id, jobIds: film.plan.parts.map(({ jobId }) => jobId) })
    return { ...(await progressOf(services, job)), isReused: false }
  }
}

/** The stream of the subtitles that are to be drawn into the film; null where none are. */
async function findBurnedStream(
  services: Services,
  item: MediaItemDetail,
  index: number | undefined,
): Promise<number | null> {
  if (index === undefined) return null
  const track = (await listOtherTracks(services, item)).find((one) => one.index === index)
  if (track?.streamIndex == null || !track.canBeDrawn) throw streamingErrors.subtitle_not_drawable()
  return track.streamIndex
}

/**
 * The further files of a film, with sound in the language of the first, which the master playlist names for the whole film. A file that
 * is not there is left out: the others play without it, and a start after its return plans the film with it.
 */
async function partOrders(services: Services, own: PlanOrder): Promise<PlanOrder[]> {
  const { profile, mapsTones } = own
  const target = { profile, mapsTones, soundLanguage: own.sound?.language ?? null, burnedStream: null }
  const orders = await Promise.all(
    (await listItemParts(services, own.item.id)).map(async (part) => {
      try {
        return await orderOf(services, part, target)
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
  return orders.flat()
}

type PlannedFilm = { plan: StreamJob; joined: readonly JoinedPart[] }

/** A copied picture is offered where every file can be copied: otherwise it would have to be encoded at a seam. */
async function planFilm(services: Services, { own, parts }: FilmOrder): Promise<PlannedFilm> {
  const first = await makePlan(services, own)
  const following: PartPlan[] = []
  for (const part of parts) {
    const startMicroseconds = endMicroseconds(following.at(-1)?.plan ?? first)
    following.push(await ensurePartJob(services, part, startMicroseconds))
  }
  const isCopied = following.every(({ plan }) => plan.copy !== null)
  const plan = joinParts(isCopied ? first : await makePlan(services, own, { allowsCopy: false }), following)
  const joined = plan.parts.flatMap((part, place) => {
    const planned = following[place]?.plan
    return planned === undefined ? [] : [{ part, plan: planned }]
  })
  return { plan, joined }
}

/** The job of a further file of a film, which begins where the file before ends: the one that is there, or a new one. */
async function ensurePartJob(services: Services, order: PlanOrder, startMicroseconds: number): Promise<PartPlan> {
  const { id: itemId } = order.item
  let plan: StreamJob | undefined
  for (;;) {
    const running = await findRunningJobOf(services, order)
    const current = running === undefined ? undefined : await readCurrent(services, running, order)
    if (running !== undefined && isPartAt(current, order, startMicroseconds))
      return { jobId: running.id, itemId, plan: current }
    plan ??= { ...(await makePlan(services, order)), startMicroseconds }
    if (running !== undefined) await cancelJob(services.db, running.id)
    const job = await createJob(services, { mediaItemId: itemId, profile: order.profile, plan, joined: [] })
    if (job !== undefined) return { jobId: job.id, itemId, plan }
  }
}

/** A job that the file was started with on its own may begin elsewhere, or play another track. */
function isPartAt(
  plan: StreamJob | undefined,
  { film, sound }: PlanOrder,
  startMicroseconds: number,
): plan is StreamJob {
  if (plan?.startMicroseconds !== startMicroseconds || plan.parts.length > 0) return false
  return defaultAudioTrack(plan)?.streamIndex === (sound?.streamIndex ?? film?.audioStreamIndex ?? undefined)
}

async function findRunningJobOf(
  { db }: Services,
  { item, profile, burnedStream }: PlanOrder,
): Promise<TranscodeJob | undefined> {
  return findRunningJob(db, { mediaItemId: item.id, profile: profile.name, burnedStream })
}

/** The plan of a job whose files are there and were planned for the very file that is there now, with the tones as they are set. */
async function readCurrent(services: Services, job: TranscodeJob, order: PlanOrder): Promise<StreamJob | undefined> {
  const { file, film, mapsTones } = order
  const { isPlaylistReady } = await progressOf(services, job)
  const plan = await readStreamJob(jobDirectory(services.config, job.id))
  if (!isPlaylistReady || plan === undefined) return undefined
  const { path, sizeBytes, modifiedAtNanoseconds } = plan.source
  if (path !== file.path || sizeBytes !== file.sizeBytes) return undefined
  if (modifiedAtNanoseconds !== file.modifiedAtNanoseconds) return undefined
  const hdrTransfer = film === undefined || !mapsTones ? null : hdrTransferOf(film)
  if (plan.source.hdrTransfer !== hdrTransfer) return undefined
  return isDeepStrictEqual(await loudnessOf(services, plan), plan.loudness) ? plan : undefined
}

/**
 * Whether a job can be played as it is, with all files of the film; subtitles that have come or gone beside it meanwhile are listed again,
 * each under the number that it has.
 */
async function renew(services: Services, job: TranscodeJob, order: FilmOrder): Promise<boolean> {
  const plan = await readCurrent(services, job, order.own)
  const joined = plan === undefined ? undefined : await readJoined(services, plan, order.parts)
  if (plan === undefined || joined === undefined) return false
  const subtitles = numberSubtitles(await listSubtitleTracks(services, order.own.item), plan.subtitles)
  if (!isDeepStrictEqual(subtitles, plan.subtitles)) {
    await writeJobFiles(jobDirectory(services.config, job.id), { ...plan, subtitles }, joined)
  }
  await markJobUsed(services.db, { id: job.id, now: services.clock.now() })
  return true
}

/** The further files that a job is made from; undefined where one has changed, come or gone since. */
async function readJoined(
  services: Services,
  { parts, startMicroseconds }: StreamJob,
  orders: readonly PlanOrder[],
): Promise<JoinedPart[] | undefined> {
  if (parts.length !== orders.length || (orders.length > 0 && startMicroseconds > 0)) return undefined
  const joined: JoinedPart[] = []
  for (const [place, order] of orders.entries()) {
    const part = parts[place]
    const running = await findRunningJobOf(services, order)
    if (part === undefined || running?.id !== part.jobId) return undefined
    const plan = await readCurrent(services, running, order)
    if (!isPartAt(plan, order, part.startMicroseconds)) return undefined
    joined.push({ part, plan })
  }
  return joined
}
