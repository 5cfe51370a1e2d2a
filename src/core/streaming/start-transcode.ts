import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { getItem, type MediaItemDetail } from '../catalogue/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import { readSetting } from '../platform/settings/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { ReaderPool } from '../probing/index.ts'
import { listSubtitleTracks } from '../subtitles/index.ts'
import { chooseLadder } from './choose-ladder.ts'
import { resolveDeviceProfile, type DeviceProfile } from './device-profiles.ts'
import { jobDirectory, writeWhole } from './job-directory.ts'
import { findSourceFile, type SourceFile } from './source-file.ts'
import { ensureStreamIndex } from './source-index.ts'
import { readFilmSource, type FilmSource } from './source-profile.ts'
import { planSound } from './plan-sound.ts'
import { hdrTransferOf, planStream } from './plan-stream.ts'
import { storedLoudness } from './loudness.ts'
import { masterPlaylist, mediaPlaylist, subtitlePlaylist } from './playlists.ts'
import { cancelJob, findRunningJob, insertJob, markJobUsed } from './queries.ts'
import { videoRenditions } from './rendition.ts'
import { MASTER_PLAYLIST_NAME, mediaPlaylistName, subtitlePlaylistId } from './segment-name.ts'
import { readStreamJob, writeStreamJob, type StreamJob } from './stream-job.ts'
import { numberSubtitles } from './stream-subtitles.ts'
import { progressOf, type TranscodeProgress } from './transcode-progress.ts'
import type { TranscodeJob } from './transcode-job.ts'

type Services = {
  db: Database
  clock: Clock
  config: Config
  log: Logger
  mediaTools: Pick<MediaTools, 'packets'>
  readers: ReaderPool
}

/** A file without tables of key frames is read through at once, but nobody waits longer than this for it. */
const INDEX_TIMEOUT_SECONDS = 15

export type TranscodeStartInput = {
  itemId: string
  /** Name of a device profile; wins over the device type. */
  profile?: string | undefined
  /** Value of the device type header. */
  deviceType?: string | undefined
}

/**
 * Makes an item playable for a kind of device, with a picture or of sound alone: plans its grid and renditions and writes the playlists. Nothing is
 * encoded yet. A job that is still valid for the same item and profile is answered again (document 2, Transcode job
 * readiness).
 * @throws AppError `media_item_not_found`, `not_transcodable`, and those of opening the file
 */
export async function startTranscode(
  services: Services,
  input: TranscodeStartInput,
): Promise<TranscodeProgress & { isReused: boolean }> {
  const item = await getItem(services, input.itemId)
  const profile = resolveDeviceProfile(input)
  const film = readFilmSource(item)
  const file = await findSourceFile(services, item)
  const mapsTones = (await readSetting(services, 'hls.tone_mapping')) !== 'none'
  const order = { item, film, file, profile, mapsTones }
  let plan: StreamJob | undefined
  // Two who start at the same time may both find a stale job or none; one of them writes the row, the other then finds
  // it.
  for (;;) {
    const running = await findRunningJob(services.db, { mediaItemId: item.id, profile: profile.name })
    if (running !== undefined && (await renew(services, running, order))) {
      return { ...(await progressOf(services, running)), isReused: true }
    }
    plan ??= await makePlan(services, order)
    if (running !== undefined) await cancelJob(services.db, running.id)
    const job = await createJob(services, { mediaItemId: item.id, profile, plan })
    if (job !== undefined) return { ...(await progressOf(services, job)), isReused: false }
  }
}

type PlanOrder = {
  item: MediaItemDetail
  film: FilmSource | undefined
  file: SourceFile
  profile: DeviceProfile
  mapsTones: boolean
}

/** The key frames are only asked for where the picture may be copied; reading for them may take a while. */
async function makePlan(services: Services, { item, film, file, profile, mapsTones }: PlanOrder): Promise<StreamJob> {
  if (film === undefined) {
    const plan = planSound(item, { file, subtitles: await listSubtitleTracks(services, item) })
    return { ...plan, loudness: await loudnessOf(services, plan) }
  }
  const wanted = { itemId: item.id, file, streamIndex: film.videoStreamIndex, timeoutSeconds: INDEX_TIMEOUT_SECONDS }
  const mayBeCopied = chooseLadder(film, profile).some(({ isCopy }) => isCopy)
  const [index, subtitles] = await Promise.all([
    mayBeCopied ? ensureStreamIndex(services, wanted) : undefined,
    listSubtitleTracks(services, item),
  ])
  const plan = planStream(film, { file, profile, streams: item.streams, subtitles, index, mapsTones })
  return { ...plan, loudness: await loudnessOf(services, plan) }
}

/** Null while normalisation is off, and until the file has been measured. */
async function loudnessOf({ config }: Services, plan: StreamJob): Promise<StreamJob['loudness']> {
  return config.options['hls.loudness'] ? storedLoudness({ config }, plan) : null
}

/**
 * Whether a job's files are there and were planned for the very file that is there now, with the tones as they are set; subtitles that have come or gone
 * beside it meanwhile are listed anew, each under the number that it has.
 */
async function renew(services: Services, job: TranscodeJob, order: PlanOrder): Promise<boolean> {
  const { item, file, film, mapsTones } = order
  const { isPlaylistReady } = await progressOf(services, job)
  const directory = jobDirectory(services.config, job.id)
  const plan = await readStreamJob(directory)
  if (!isPlaylistReady || plan === undefined) return false
  const { path, sizeBytes, modifiedAtNanoseconds } = plan.source
  if (path !== file.path || sizeBytes !== file.sizeBytes) return false
  if (modifiedAtNanoseconds !== file.modifiedAtNanoseconds) return false
  const hdrTransfer = film === undefined || !mapsTones ? null : hdrTransferOf(film)
  if (plan.source.hdrTransfer !== hdrTransfer) return false
  if (!isDeepStrictEqual(await loudnessOf(services, plan), plan.loudness)) return false
  const subtitles = numberSubtitles(await listSubtitleTracks(services, item), plan.subtitles)
  if (!isDeepStrictEqual(subtitles, plan.subtitles)) await writeJobFiles(directory, { ...plan, subtitles })
  await markJobUsed(services.db, { id: job.id, now: services.clock.now() })
  return true
}

type NewJob = { mediaItemId: string; profile: DeviceProfile; plan: StreamJob }

/** Writes the files first and the row last: whoever finds the row finds the files. */
async function createJob(
  services: Services,
  { mediaItemId, profile, plan }: NewJob,
): Promise<TranscodeJob | undefined> {
  const id = randomUUID()
  const directory = jobDirectory(services.config, id)
  await writeJobFiles(directory, plan)
  const createdAt = services.clock.now()
  const row = {
    id,
    mediaItemId,
    profile: profile.name,
    status: 'running',
    variants: videoRenditions(plan.renditions),
    createdAt,
  } as const
  const job = await insertJob(services.db, row)
  if (job === undefined) await rm(directory, { recursive: true, force: true })
  return job
}

/** The master playlist comes last: its presence says that all are there. */
async function writeJobFiles(directory: string, plan: StreamJob): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeStreamJob(directory, plan)
  for (const rendition of plan.renditions) {
    await writeWhole(directory, { name: mediaPlaylistName(rendition.id), text: mediaPlaylist(plan, rendition) })
  }
  for (const subtitle of plan.subtitles) {
    const name = mediaPlaylistName(subtitlePlaylistId(subtitle.index))
    await writeWhole(directory, { name, text: subtitlePlaylist(plan, subtitle) })
  }
  await writeWhole(directory, { name: MASTER_PLAYLIST_NAME, text: masterPlaylist(plan) })
}
