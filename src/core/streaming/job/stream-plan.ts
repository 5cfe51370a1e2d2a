import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from './job-directory.ts'
import { RenditionShape } from './rendition.ts'

const JOB_FILE = 'job.json'

/** Perceptual quantizer (PQ), and hybrid log-gamma (HLG). */
export const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'] as const

const AudioTrack = z.strictObject({
  /** Index of the stream in the file, as ffmpeg counts. */
  streamIndex: z.int().nonnegative(),
  /**
   * Set if the container rounds packet timestamps to milliseconds. Timestamps are then moved to multiples of `granuleSamples` (1 if the
   * packet size is unknown), counted from `phaseSamples`, both in samples of the source's rate. Without it segments would begin up to
   * half a millisecond off.
   */
  snap: z.strictObject({ granuleSamples: z.int(), phaseSamples: z.int() }).nullable(),
  codec: z.string().nullable(),
  /** Language tag, or `und` if there is none. */
  language: z.string(),
  /** Unique label for menus. */
  label: z.string(),
  title: z.string().nullable(),
  channels: z.int().positive().nullable(),
  /** True for exactly one track: the track that every video rendition contains. */
  isDefault: z.boolean(),
})

const Source = z.strictObject({
  /** Absolute path of the media file, and the library folder that it must lie in. */
  path: z.string(),
  root: z.string(),
  /** Size and modification time of the file when the job was made. Another file under the same path needs another job. */
  sizeBytes: z.number(),
  modifiedAtNanoseconds: z.string(),
  /** The job's zero: the first video frame, or the start of the played audio without video. */
  videoStartMicroseconds: z.int(),
  containerStartMicroseconds: z.int(),
  seekMarginSeconds: z.number(),
  /**
   * Jumps of the file's clock, relative to the job's zero; encoders remove them. Jobs of earlier releases have none. They have positions
   * if the clock restarts.
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
  /** File positions at which reading may begin, and the time at each; only for a clock that restarts. */
  entries: z
    .array(z.strictObject({ microseconds: z.int(), position: z.int().nonnegative() }))
    .readonly()
    .default([]),
  /** Null without video. */
  videoStreamIndex: z.int().nonnegative().nullable(),
  isInterlaced: z.boolean(),
  /** Transfer function of high dynamic range, in the notation of ffmpeg; null for standard dynamic range. */
  hdrTransfer: z.enum(HDR_TRANSFERS).nullable(),
  /** Bitmap subtitles that are burned into the video; absent if none were requested. */
  burnedStreamIndex: z.int().nonnegative().optional(),
  /** The audio tracks in file order; empty without audio. */
  audioTracks: z.array(AudioTrack),
})

/** The cuts of the copied original; null if no rendition copies the video. */
const Copy = z.strictObject({
  /** Start of each segment: key frames of the source, in microseconds after the first video frame. The first is 0. */
  boundariesMicroseconds: z.array(z.int().nonnegative()).min(1),
  /** End of the last segment: after the last video frame. */
  endMicroseconds: z.int().positive(),
  /** Half the duration of a frame. A cut this much before a boundary falls between two frames regardless of rounding. */
  halfFrameMicroseconds: z.int().positive(),
})

/** Measured loudness of the default audio track (EBU R 128); null if it is not normalised. */
export const Loudness = z.strictObject({
  integratedLufs: z.number(),
  rangeLu: z.number(),
  truePeakDbtp: z.number(),
  thresholdLufs: z.number(),
})

const Subtitle = z.strictObject({
  /** Number in the file names; constant for the life of the job. */
  index: z.int().nonnegative(),
  /** Identity of the track: a stream of the film, as ffmpeg counts, or the absolute path of a separate file. */
  streamIndex: z.int().nonnegative().nullable(),
  path: z.string().nullable(),
  /** Unique label for menus. */
  label: z.string(),
  /** BCP 47, or `und`. */
  language: z.string(),
  isDefault: z.boolean(),
  isForced: z.boolean(),
  isHearingImpaired: z.boolean(),
  /** Whether the item no longer has the track. */
  isGone: z.boolean(),
})

const Part = z.strictObject({
  jobId: z.guid(),
  itemId: z.guid(),
  /** Start of the part on the clock of the film. */
  startMicroseconds: z.int().positive(),
  /** Renditions of the part by the id of the film's rendition that they continue. */
  renditions: z.record(z.string(), z.string()),
})

const StreamJobFile = z.strictObject({
  source: Source,
  /**
   * Start of the job on the clock of its segments: 0, except for a further file of a film, whose segments continue where the previous
   * file ends. Whole milliseconds, which are whole ticks of the transport stream. Absent in jobs of earlier releases.
   */
  startMicroseconds: z.int().nonnegative().default(0),
  /** The jobs of the further files of the film, in order. */
  parts: z.array(Part).default([]),
  /** Frames of every encoded video rendition, and segments of every audio rendition. */
  grid: z.strictObject({
    frameRate: z.strictObject({ numerator: z.int().positive(), denominator: z.int().positive() }),
    framesPerSegment: z.int().positive(),
    frameCount: z.int().positive(),
  }),
  copy: Copy.nullable(),
  loudness: Loudness.nullable(),
  /** Video renditions first, highest first, then the additional audio tracks. Without video, all audio tracks, the played one first. */
  renditions: z.array(RenditionShape),
  /** Text tracks that players can choose. */
  subtitles: z.array(Subtitle),
})

/** A text track of a job. */
export type StreamSubtitle = Readonly<z.infer<typeof Subtitle>>

/** A further file of the film of a job. */
export type StreamPart = Readonly<z.infer<typeof Part>>

/** An audio track of the source file. */
export type SourceAudioTrack = Readonly<z.infer<typeof AudioTrack>>

/** The source of a job, as it was when the job was made. */
export type StreamSource = Readonly<z.infer<typeof Source>>

/**
 * The plan of a job. It is made once and stored next to the segments. The catalogue may get new facts about the file during playback, and
 * segments of two different plans would not join.
 */
export type StreamPlan = Readonly<z.infer<typeof StreamJobFile>>

/** Writes the plan into the job's directory. */
export async function writeStreamPlan(directory: string, job: StreamPlan): Promise<void> {
  await writeFileAtomically(directory, { name: JOB_FILE, text: JSON.stringify(job) })
}

/** Reads the plan; undefined if it is missing or not in this release's format. */
export async function readStreamPlan(directory: string): Promise<StreamPlan | undefined> {
  try {
    const parsed = StreamJobFile.safeParse(JSON.parse(await readFile(join(directory, JOB_FILE), 'utf8')))
    return parsed.data
  } catch {
    return undefined
  }
}

/** Returns the audio track that every video rendition carries; undefined without audio. */
export function defaultAudioTrack({ source }: Pick<StreamPlan, 'source'>): SourceAudioTrack | undefined {
  return source.audioTracks.find(({ isDefault }) => isDefault)
}
