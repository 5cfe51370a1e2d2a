import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { EncodingBenchmark, MediaTools } from '../../platform/media-tools/index.ts'
import { encodeArguments } from '../encoder/encode-arguments.ts'
import { resolveDeviceProfile } from '../job/device-profiles.ts'
import type { VideoRendition } from '../job/rendition.ts'
import { chooseLadder } from '../ladder/choose-ladder.ts'
import type { LadderSource } from '../ladder/ladder-source.ts'
import { planClip } from '../plan/plan-clip.ts'

/** What the processor does for one rung. Sizes are in pixels, the bit rate in bits per second. */
export type RungCapacity = Readonly<{
  rung: string
  width: number
  height: number
  videoBitrate: number
  /** Processors that one encoder keeps busy at the speed of playback; null if it failed or reached its time limit. */
  processorsPerStream: number | null
  /**
   * Seconds of film that one encoder made in one second, beside the other programs of the machine; null if it failed or reached its time
   * limit.
   */
  speed: number | null
  /** Encoders that the processor runs at the speed of playback; null if the encoder failed. */
  realtimeStreams: number | null
}>

export type CapacityInput = {
  /** Existing folder for temporary files. */
  folder: string
  /** Number of processors that the encoders may use. */
  processors: number
  /** Time limit of one encoder. */
  timeoutSeconds?: number
  signal: AbortSignal
  /** Called before each rung. */
  onRung?: (rung: string) => void
}

const CLIP_SECONDS = 4
const TIMEOUT_SECONDS = 60

/** Rungs up to 1080 lines are usually encoded from a source of 1080 lines, higher rungs from a source of 2160. */
const SOURCES = [
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
] as const

/**
 * Measures how many streams of each rung the processor encodes in real time, lowest rung first. One segment of a generated film is encoded
 * with the arguments of a stream; decoding the source and encoding the sound are included. Films with much motion need more.
 * @throws AppError `tool_missing`, `tool_failed` if the film cannot be generated; the signal's reason when aborted
 */
export async function measureCapacity(
  { mediaTools }: { mediaTools: Pick<MediaTools, 'makeClip' | 'benchmark'> },
  input: CapacityInput,
): Promise<RungCapacity[]> {
  const { folder, signal } = input
  const measured: RungCapacity[] = []
  let from = 0
  for (const size of SOURCES) {
    const rungs = ladder().filter(({ height }) => height > from && height <= size.height)
    from = size.height
    const clip = join(folder, `${size.height}.mp4`)
    await mediaTools.makeClip(clip, { durationSeconds: CLIP_SECONDS, size, niceness: 0, signal })
    for (const rendition of rungs.toReversed()) {
      input.onRung?.(rendition.id)
      measured.push(await measureRung({ mediaTools }, { ...input, clip, rendition }))
    }
    await rm(clip)
  }
  return measured
}

async function measureRung(
  { mediaTools }: { mediaTools: Pick<MediaTools, 'benchmark'> },
  work: CapacityInput & { clip: string; rendition: VideoRendition },
): Promise<RungCapacity> {
  const { clip, rendition, signal, timeoutSeconds = TIMEOUT_SECONDS } = work
  const job = await planClip(clip, { durationSeconds: CLIP_SECONDS, renditions: [rendition] })
  const { before, after } = encodeArguments({ job, rendition, range: { first: 0, last: 0 }, seekMarginSeconds: 0 })
  const output = join(work.folder, 'segment.ts')
  const what = { input: { path: clip }, before, after: [...after, '-f', 'mpegts'], output }
  const result = await mediaTools.benchmark(what, { timeoutSeconds, signal })
  signal.throwIfAborted()
  await rm(output, { force: true })
  const { id: rung, width, height, videoBitrate } = rendition
  return { rung, width, height, videoBitrate, ...encoderCapacity(result, work.processors) }
}

/**
 * Returns the speed of one encoder, and the number of encoders that the processors can run at the speed of playback. That number follows
 * from the processor time, which hardly depends on other programs that run during the test; the speed does.
 */
export function encoderCapacity(
  { outcome, exitCode, times }: Pick<EncodingBenchmark, 'outcome' | 'exitCode' | 'times'>,
  processors: number,
): Pick<RungCapacity, 'processorsPerStream' | 'speed' | 'realtimeStreams'> {
  const unknown = { processorsPerStream: null, speed: null }
  if (outcome === 'timed_out') return { ...unknown, realtimeStreams: 0 }
  if (exitCode !== 0 || times === null) return { ...unknown, realtimeStreams: null }
  const processorsPerStream = times.processorSeconds / CLIP_SECONDS
  return {
    processorsPerStream,
    speed: CLIP_SECONDS / times.realSeconds,
    realtimeStreams: Math.floor(processors / processorsPerStream),
  }
}

/** The rungs of a film of 2160 lines for a device that shows all of them. H.264 would add a copy, which is not encoded. */
function ladder(): VideoRendition[] {
  return chooseLadder(SOURCE, resolveDeviceProfile({ profile: 'tv-4k' }))
}

const SOURCE: LadderSource = {
  width: 3840,
  height: 2160,
  bitrate: null,
  frameRate: '24000/1001',
  videoCodec: 'hevc',
  videoProfile: null,
  videoLevel: null,
  pixelFormat: 'yuv420p',
  rotationDegrees: 0,
  hasAudio: true,
  audioCodec: 'aac',
  audioProfile: 'LC',
  audioBitrate: null,
  audioChannels: 2,
  hasAdditionalAudio: false,
  isCuttable: null,
  copiedRates: null,
}
