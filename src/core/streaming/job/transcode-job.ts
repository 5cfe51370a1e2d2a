import { z } from 'zod'
import type { DeviceProfileName } from './device-profiles.ts'
import type { VideoRendition } from './rendition.ts'

export const TRANSCODE_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const

export type TranscodeStatus = (typeof TRANSCODE_STATUSES)[number]

/** An item that is prepared for playback on one kind of device. */
export type TranscodeJob = {
  /** UUID; also the name of the job's directory. */
  id: string
  mediaItemId: string
  profile: DeviceProfileName
  status: TranscodeStatus
  /** Highest first; null for a job without a ladder. */
  variants: readonly VideoRendition[] | null
  createdAt: Date
}

const Id = z.guid()

/** Returns whether a text is a job id. Only such a text may become part of a path or a query. */
export function isTranscodeJobId(text: string): boolean {
  return Id.safeParse(text).success
}

/** Returns the resource that a signature of a job covers: its directory, hence all playlists and segments in it. */
export function jobResource(jobId: string): string {
  return `/hls/${jobId}/`
}

/** Returns the resource of the job's reserved DASH files, which are separate. */
export function dashResource(jobId: string): string {
  return `/dash/${jobId}/`
}
