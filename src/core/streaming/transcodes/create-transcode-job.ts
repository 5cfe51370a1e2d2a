import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { DeviceProfile } from '../job/device-profiles.ts'
import { jobDirectory, writeFileAtomically } from '../job/job-directory.ts'
import type { JoinedPart } from '../playlist/join-parts.ts'
import { masterPlaylist, mediaPlaylist, subtitlePlaylist } from '../playlist/playlist-text.ts'
import { insertTranscodeJob } from '../job/queries.ts'
import { listVideoRenditions } from '../job/rendition.ts'
import { MASTER_PLAYLIST_NAME, mediaPlaylistName, subtitlePlaylistId } from '../job/segment-name.ts'
import { writeStreamPlan, type StreamPlan } from '../job/stream-plan.ts'
import type { TranscodeJob } from '../job/transcode-job.ts'

type Services = { db: Database; clock: Clock; config: Pick<Config, 'dataDirectory'> }

/** A job to create; `joined` contains the further files that `plan.parts` names. */
export type NewTranscodeJob = {
  mediaItemId: string
  profile: DeviceProfile
  plan: StreamPlan
  joined: readonly JoinedPart[]
}

/**
 * Creates a job. Files are written before the row, so a process that finds the row finds the files. Returns undefined if another process
 * created the job first.
 */
export async function createTranscodeJob(
  { db, clock, config }: Services,
  { mediaItemId, profile, plan, joined }: NewTranscodeJob,
): Promise<TranscodeJob | undefined> {
  const id = randomUUID()
  const directory = jobDirectory(config, id)
  await writeTranscodeJobFiles(directory, plan, joined)
  const row = {
    id,
    mediaItemId,
    profile: profile.name,
    status: 'running',
    variants: listVideoRenditions(plan.renditions),
    createdAt: clock.now(),
    burnedStream: plan.source.burnedStreamIndex ?? null,
  } as const
  const job = await insertTranscodeJob(db, row)
  if (job === undefined) await rm(directory, { recursive: true, force: true })
  return job
}

/** Writes the files of a job. The master playlist is written last: its presence means that all files exist. */
export async function writeTranscodeJobFiles(
  directory: string,
  plan: StreamPlan,
  joined: readonly JoinedPart[],
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeStreamPlan(directory, plan)
  for (const rendition of plan.renditions) {
    const text = mediaPlaylist(plan, rendition, { joined })
    await writeFileAtomically(directory, { name: mediaPlaylistName(rendition.id), text })
  }
  for (const subtitle of plan.subtitles) {
    const name = mediaPlaylistName(subtitlePlaylistId(subtitle.index))
    await writeFileAtomically(directory, { name, text: subtitlePlaylist(plan, subtitle, joined) })
  }
  await writeFileAtomically(directory, { name: MASTER_PLAYLIST_NAME, text: masterPlaylist(plan, joined) })
}
