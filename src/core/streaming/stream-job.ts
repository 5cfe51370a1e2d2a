import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { AUDIO_BITRATE, maxVideoBitrate, RenditionShape, type Rendition } from './choose-rendition.ts'
import type { EncodePlan } from './encode-arguments.ts'
import { writeWhole } from './job-directory.ts'

const JOB_FILE = 'job.json'

/** Perceptual quantizer, and hybrid log-gamma. */
export const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'] as const

const Source = z.strictObject({
  /** Absolute path of the media file, and the library folder that it must lie in. */
  path: z.string(),
  root: z.string(),
  /** Size and modification time that the file had; another file under the same path needs another job. */
  sizeBytes: z.number(),
  modifiedAtNanoseconds: z.string(),
  videoStartMicroseconds: z.int(),
  containerStartMicroseconds: z.int(),
  seekMarginSeconds: z.number(),
  videoStreamIndex: z.int().nonnegative(),
  isInterlaced: z.boolean(),
  /** The transfer curve of high dynamic range, as ffmpeg names it; null for ordinary pictures. */
  hdrTransfer: z.enum(HDR_TRANSFERS).nullable(),
  audio: z
    .strictObject({
      streamIndex: z.int().nonnegative(),
      snap: z.strictObject({ granuleSamples: z.int(), phaseSamples: z.int() }).nullable(),
    })
    .nullable(),
})

const StreamJobFile = z.strictObject({
  source: Source,
  grid: z.strictObject({
    frameRate: z.strictObject({ numerator: z.int().positive(), denominator: z.int().positive() }),
    framesPerSegment: z.int().positive(),
    frameCount: z.int().positive(),
  }),
  renditions: z.array(RenditionShape),
})

/** Where a job's pictures and sound come from, as they were when it was made. */
export type StreamSource = Readonly<z.infer<typeof Source>>

/**
 * What the segments of a job are made from. It is decided once and kept beside them: the catalogue may learn something
 * new about the file while somebody watches, and segments of two different plans would not join.
 */
export type StreamJob = Readonly<z.infer<typeof StreamJobFile>>

/** Writes the plan into the job's directory. */
export async function writeStreamJob(directory: string, job: StreamJob): Promise<void> {
  await writeWhole(directory, { name: JOB_FILE, text: JSON.stringify(job) })
}

/** Reads it back; undefined where it is missing or not of this release's form. */
export async function readStreamJob(directory: string): Promise<StreamJob | undefined> {
  try {
    const parsed = StreamJobFile.safeParse(JSON.parse(await readFile(join(directory, JOB_FILE), 'utf8')))
    return parsed.data
  } catch {
    return undefined
  }
}

/** What the segments of one rendition of a job are encoded by. */
export function encodePlan(job: StreamJob, rendition: Rendition): EncodePlan {
  return {
    grid: job.grid,
    width: rendition.width,
    height: rendition.height,
    videoBitrate: rendition.videoBitrate,
    maxVideoBitrate: maxVideoBitrate(rendition.videoBitrate),
    audioBitrate: AUDIO_BITRATE,
    source: job.source,
  }
}
