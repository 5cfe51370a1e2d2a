import { z } from 'zod'
import type { DeviceProfileName } from './device-profiles.ts'
import type { VideoRendition } from './rendition.ts'

export const TRANSCODE_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const

export type TranscodeStatus = (typeof TRANSCODE_STATUSES)[number]

/** One item made playable for one kind of device (document 2, Transcode job). */
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

/** Whether a text can be the id of a job. Only such a text may become part of a path or a query. */
export function isJobId(text: string): boolean {
  return Id.safeParse(text).success
}

/**
 * What a signature of a job stands for: its directory, hence every playlist and segment in it (document 2, serving rule
 * 8).
 */
export function jobResource(jobId: string): string {
  return `/hls/${jobId}/`
}

/** The same for its reserved DASH files, which share nothing with the others. */
export function dashResource(jobId: string): string {
  return `/dash/${jobId}/`
}
