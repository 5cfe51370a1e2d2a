import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { getItem } from '../catalogue/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { resolveDeviceProfile, type DeviceProfile } from './device-profiles.ts'
import { jobDirectory, writeWhole } from './job-directory.ts'
import { findSourceFile, type SourceFile } from './source-file.ts'
import { requireFilmSource } from './source-profile.ts'
import { planStream } from './plan-stream.ts'
import { masterPlaylist, mediaPlaylist } from './playlists.ts'
import { cancelJob, findRunningJob, insertJob, markJobUsed } from './queries.ts'
import { videoRenditions } from './rendition.ts'
import { MASTER_PLAYLIST_NAME, mediaPlaylistName } from './segment-name.ts'
import { readStreamJob, writeStreamJob, type StreamJob } from './stream-job.ts'
import { progressOf, type TranscodeProgress } from './transcode-progress.ts'
import type { TranscodeJob } from './transcode-job.ts'

type Services = { db: Database; clock: Clock; config: Pick<Config, 'dataDirectory'> }

export type TranscodeStartInput = {
  itemId: string
  /** Name of a device profile; wins over the device type. */
  profile?: string | undefined
  /** Value of the device type header. */
  deviceType?: string | undefined
}

/**
 * Makes an item playable for a kind of device: plans its grid and rendition and writes the playlists. Nothing is
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
  const film = requireFilmSource(item)
  const file = await findSourceFile(services, item)
  const plan = planStream(film, { file, profile })
  // Two who start at the same time may both find a stale job or none; one of them writes the row, the other then finds
  // it.
  for (;;) {
    const running = await findRunningJob(services.db, { mediaItemId: item.id, profile: profile.name })
    if (running !== undefined && (await isValid(services, running, file))) {
      await markJobUsed(services.db, { id: running.id, now: services.clock.now() })
      return { ...(await progressOf(services, running)), isReused: true }
    }
    if (running !== undefined) await cancelJob(services.db, running.id)
    const job = await createJob(services, { mediaItemId: item.id, profile, plan })
    if (job !== undefined) return { ...(await progressOf(services, job)), isReused: false }
  }
}

/** Whether a job's files are there and were planned for the very file that is there now. */
async function isValid(services: Services, job: TranscodeJob, file: SourceFile): Promise<boolean> {
  const { isPlaylistReady } = await progressOf(services, job)
  const plan = await readStreamJob(jobDirectory(services.config, job.id))
  if (!isPlaylistReady || plan === undefined) return false
  const { path, sizeBytes, modifiedAtNanoseconds } = plan.source
  return path === file.path && sizeBytes === file.sizeBytes && modifiedAtNanoseconds === file.modifiedAtNanoseconds
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
  const { renditions, grid } = plan
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeStreamJob(directory, plan)
  for (const { id } of renditions) {
    await writeWhole(directory, { name: mediaPlaylistName(id), text: mediaPlaylist({ rendition: id, grid }) })
  }
  await writeWhole(directory, { name: MASTER_PLAYLIST_NAME, text: masterPlaylist({ renditions, grid }) })
}
