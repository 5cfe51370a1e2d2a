import type { RunningAnalysis, AnalysisRequest, MediaTools } from '../../platform/media-tools/index.ts'
import type { FeatureOutcome } from '../film/analysed-file.ts'
import type { FrameDistributor } from './frame-consumer.ts'
import type { FilmSound, FilmVideo } from './film-streams.ts'
import { isPictureSetComplete, maxPictureCount, pictureProblem } from './picture-count.ts'

export type StreamsToRead = Readonly<{
  input: string
  durationSeconds: number | null
  video: FilmVideo | null
  sound: FilmSound | null
  distributor: FrameDistributor
  niceness: number
}>

/** Null for streams that were not read. */
export type StreamResults = {
  pictures: FeatureOutcome | null
  sound: FeatureOutcome | null
  fingerprint: Buffer | null
}

type Frames = NonNullable<AnalysisRequest['pictures']>['frames']

type Tools = Pick<MediaTools, 'readPicturesAndFingerprint' | 'componentsOf'>

const DONE: FeatureOutcome = { outcome: 'done', reason: null }

/** Filters that convert high dynamic range; without them the pictures are pale. */
const TONE_MAPPING = ['zscale', 'tonemap']

const MAX_REASON_CHARACTERS = 300

/**
 * Reads the streams of a film in one process. Only when that fails, each is read alone, so that damaged sound does not cost the pictures;
 * and the video is decoded completely when its key frames do not cover the film.
 * @throws AppError `tool_missing`, `tool_failed`; the error of a consumer; the signal's reason when aborted
 */
export async function readStreams(tools: Tools, streams: StreamsToRead, signal: AbortSignal): Promise<StreamResults> {
  const isFingerprinted = streams.sound !== null && (await tools.componentsOf('muxers')).has('chromaprint')
  const read = await readTogether(tools, { ...streams, sound: isFingerprinted ? streams.sound : null }, signal)
  const pictures = read.pictures === null ? null : await picturesOf(tools, streams, read.pictures, signal)
  return { pictures, ...(streams.sound === null ? { sound: null, fingerprint: null } : soundOf(read.sound)) }
}

/** The readings that have the pictures and the sound: one for both, or one for each when that fails. Null for streams that are null. */
async function readTogether(
  tools: Tools,
  streams: StreamsToRead,
  signal: AbortSignal,
): Promise<{ pictures: RunningAnalysis | null; sound: RunningAnalysis | null }> {
  const { video, sound } = streams
  if (video === null && sound === null) return { pictures: null, sound: null }
  const one = await readOnce(tools, streams, signal)
  if (video === null || sound === null) return { pictures: video && one, sound: sound && one }
  const isSplit = one.outcome === 'exited' && !one.isComplete && one.fault === null
  if (!isSplit) return { pictures: one, sound: one }
  return {
    pictures: await readOnce(tools, { ...streams, sound: null }, signal),
    sound: await readOnce(tools, { ...streams, video: null }, signal),
  }
}

/** The result of the pictures; decodes all key frames, then the complete video, when less was not sufficient. */
async function picturesOf(
  tools: Tools,
  streams: StreamsToRead,
  analysis: RunningAnalysis,
  signal: AbortSignal,
): Promise<FeatureOutcome> {
  const { distributor, durationSeconds, video } = streams
  let last = analysis
  // Some films cannot be read by selected key frames; this is detected only while they are read.
  const isIncomplete = last.outcome === 'exited' && last.fault === null && !last.isComplete
  if (video?.isSelectable === true && isIncomplete)
    last = await readOnce(tools, { ...streams, sound: null, frames: 'key' }, signal)
  if (isRepeated(last, streams)) last = await readOnce(tools, { ...streams, sound: null, frames: 'all' }, signal)
  const reason = failureOf(last) ?? pictureProblem(distributor.count, durationSeconds)
  return reason === null ? DONE : { outcome: 'failed', reason }
}

function isRepeated({ outcome, fault }: RunningAnalysis, streams: StreamsToRead): boolean {
  return outcome === 'exited' && fault === null && !hasEnoughPictures(streams)
}

function hasEnoughPictures({ distributor: { count, isUniform }, durationSeconds }: StreamsToRead): boolean {
  return isPictureSetComplete(count, durationSeconds) && (count === 1 || !isUniform)
}

function soundOf(analysis: RunningAnalysis | null): { sound: FeatureOutcome; fingerprint: Buffer | null } {
  const failed = (reason: string) => ({ sound: { outcome: 'failed' as const, reason }, fingerprint: null })
  if (analysis === null) return failed('this ffmpeg has no chromaprint')
  const { fingerprint } = analysis
  const reason = failureOf(analysis)
  if (reason !== null || fingerprint === null) return failed(reason ?? 'ffmpeg wrote no fingerprint')
  if (fingerprint.length === 0) {
    return { sound: { outcome: 'none', reason: 'the sound is too short' }, fingerprint: null }
  }
  return { sound: DONE, fingerprint }
}

/** Why a reading is not usable; null if it is. */
function failureOf({ outcome, isComplete, fault, exitCode, stderrTail }: RunningAnalysis): string | null {
  if (isComplete) return null
  if (outcome === 'stalled') return 'ffmpeg made no progress'
  if (outcome === 'too_much_output') return 'the film has more pictures or sound than its duration explains'
  const lines = stderrTail.trim().split('\n')
  const text = fault?.text ?? lines.at(-1) ?? ''
  return (text === '' ? `ffmpeg ended with code ${exitCode}` : text).slice(0, MAX_REASON_CHARACTERS)
}

async function readOnce(
  tools: Tools,
  { input, durationSeconds, video, sound, distributor, niceness, ...options }: StreamsToRead & { frames?: Frames },
  signal: AbortSignal,
): Promise<RunningAnalysis> {
  if (video !== null) await distributor.restart()
  const pictures =
    video === null
      ? null
      : {
          streamIndex: video.streamIndex,
          hdrTransfer: (await canConvert(tools, video)) ? video.hdrTransfer : null,
          frames: options.frames ?? (video.isSelectable ? 'shown_key' : 'key'),
          maxPictures: maxPictureCount(durationSeconds),
          onPicture: (rgb: Buffer, index: number) => distributor.frame(rgb, index),
        }
  const analysis = await tools.readPicturesAndFingerprint({ input, pictures, sound }, { niceness, signal })
  signal.throwIfAborted()
  return analysis
}

async function canConvert(tools: Tools, { hdrTransfer }: FilmVideo): Promise<boolean> {
  if (hdrTransfer === null) return false
  const filters = await tools.componentsOf('filters')
  return TONE_MAPPING.every((name) => filters.has(name))
}
