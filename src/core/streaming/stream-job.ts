import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeWhole } from './job-directory.ts'
import { RenditionShape } from './rendition.ts'

const JOB_FILE = 'job.json'

/** Perceptual quantizer, and hybrid log-gamma. */
export const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'] as const

const AudioTrack = z.strictObject({
  /** Of the file, as ffmpeg counts. */
  streamIndex: z.int().nonnegative(),
  /**
   * Set where the container rounds packet times to milliseconds: times are moved to multiples of `granuleSamples` (1 where the packet size
   * is not known), counted from `phaseSamples`, both in samples of the source's own rate. Without it every segment would begin up to half
   * a millisecond off.
   */
  snap: z.strictObject({ granuleSamples: z.int(), phaseSamples: z.int() }).nullable(),
  codec: z.string().nullable(),
  /** As tagged, `und` where it is not. */
  language: z.string(),
  /** What menus show, different for every track. */
  label: z.string(),
  title: z.string().nullable(),
  channels: z.int().positive().nullable(),
  /** Exactly one is: the one that every picture carries. */
  isDefault: z.boolean(),
})

const Source = z.strictObject({
  /** Absolute path of the media file, and the library folder that it must lie in. */
  path: z.string(),
  root: z.string(),
  /** Size and modification time that the file had; another file under the same path needs another job. */
  sizeBytes: z.number(),
  modifiedAtNanoseconds: z.string(),
  /** Where the job has its zero: at the first video frame, or where the played sound begins that has no picture. */
  videoStartMicroseconds: z.int(),
  containerStartMicroseconds: z.int(),
  seekMarginSeconds: z.number(),
  /**
   * Where the clock of the file jumps, counted from the job's zero; encoders leave the jumps out. Earlier releases did not know them. They
   * have positions where the clock restarts.
   */
  jumps: z
    .array(
      z.strictObject({
        atMicroseconds: z.int(),
        byMicroseconds: z.int(),
        position: z.int().nonnegative().nullable().default(null),
      }),
    )
    .readonly()
    .default([]),
  /** Bytes of the file at which reading may begin, and the time there; only of a clock that restarts. */
  entries: z
    .array(z.strictObject({ microseconds: z.int(), position: z.int().nonnegative() }))
    .readonly()
    .default([]),
  /** Null where there is no picture. */
  videoStreamIndex: z.int().nonnegative().nullable(),
  isInterlaced: z.boolean(),
  /** The transfer curve of high dynamic range, as ffmpeg names it; null for ordinary pictures. */
  hdrTransfer: z.enum(HDR_TRANSFERS).nullable(),
  /** Subtitles that are pictures and are drawn into the film; absent where none were asked for. */
  burnedStreamIndex: z.int().nonnegative().optional(),
  /** In the order of the file; none where there is no sound. */
  audioTracks: z.array(AudioTrack),
})

/** How the copied original is cut; null where no rendition copies the picture. */
const Copy = z.strictObject({
  /** Where each segment begins: key frames of the source, in microseconds after the first video frame, hence 0 first. */
  boundariesMicroseconds: z.array(z.int().nonnegative()).min(1),
  /** Where the last one ends: after the last video frame. */
  endMicroseconds: z.int().positive(),
  /** Half the time of a frame: a cut this much before a boundary falls between two frames however times are rounded. */
  halfFrameMicroseconds: z.int().positive(),
})

/** What was measured of the default sound track's loudness (EBU R 128); null where it is left as it is. */
export const Loudness = z.strictObject({
  integratedLufs: z.number(),
  rangeLu: z.number(),
  truePeakDbtp: z.number(),
  thresholdLufs: z.number(),
})

const Subtitle = z.strictObject({
  /** The number in the file names; of this track for as long as the job lives. */
  index: z.int().nonnegative(),
  /** Which track it is: a stream of the film, as ffmpeg counts, or the absolute path of a file beside it. */
  streamIndex: z.int().nonnegative().nullable(),
  path: z.string().nullable(),
  /** What menus show, different for every track. */
  label: z.string(),
  /** BCP 47, or `und`. */
  language: z.string(),
  isDefault: z.boolean(),
  isForced: z.boolean(),
  isHearingImpaired: z.boolean(),
  /** The item has it no more. */
  isGone: z.boolean(),
})

const Part = z.strictObject({
  jobId: z.guid(),
  itemId: z.guid(),
  /** Where it begins on the clock of the film. */
  startMicroseconds: z.int().positive(),
  /** What of the part's renditions goes on with each rendition of the film, by the film's id. */
  renditions: z.record(z.string(), z.string()),
})

const StreamJobFile = z.strictObject({
  source: Source,
  /**
   * Where the job begins on the clock of its segments: 0, but for a further file of a film, whose segments go on where the file before
   * ends. Whole milliseconds, which are whole ticks of the transport stream. Earlier releases knew no films of several files.
   */
  startMicroseconds: z.int().nonnegative().default(0),
  /** The jobs of the further files of the film, in order. */
  parts: z.array(Part).default([]),
  /** The frames of every rendition whose picture is encoded, and the segments of every sound rendition. */
  grid: z.strictObject({
    frameRate: z.strictObject({ numerator: z.int().positive(), denominator: z.int().positive() }),
    framesPerSegment: z.int().positive(),
    frameCount: z.int().positive(),
  }),
  copy: Copy.nullable(),
  loudness: Loudness.nullable(),
  /** Those with a picture first, highest first, then the further sound tracks; without a picture all of them, the played one first. */
  renditions: z.array(RenditionShape),
  /** Text tracks that players can choose. */
  subtitles: z.array(Subtitle),
})

/** A text track that goes with the job. */
export type StreamSubtitle = Readonly<z.infer<typeof Subtitle>>

/** A further file of the film that a job is made from. */
export type StreamPart = Readonly<z.infer<typeof Part>>

/** A sound track as it is in the file. */
export type SourceAudioTrack = Readonly<z.infer<typeof AudioTrack>>

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

/** The sound track that every picture carries; undefined where there is no sound. */
export function defaultAudioTrack({ source }: Pick<StreamJob, 'source'>): SourceAudioTrack | undefined {
  return source.audioTracks.find(({ isDefault }) => isDefault)
}
