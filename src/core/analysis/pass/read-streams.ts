import type { Analysis, MediaTools } from '../../platform/media-tools/index.ts'
import type { FeatureOutcome } from '../film/analysed-file.ts'
import type { FrameDistributor } from './frame-consumer.ts'
import type { FilmSound, FilmVideo } from './film-streams.ts'
import { isWhole, maxPictures, pictureProblem } from './picture-count.ts'

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

type Tools = Pick<MediaTools, 'analyse' | 'parts'>

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
  const isFingerprinted = streams.sound !== null && (await tools.parts('muxers')).has('chromaprint')
  const sound = isFingerprinted ? streams.sound : null
  const { video } = streams
  const both = video === null && sound === null ? null : await readOnce(tools, { ...streams, sound }, signal)
  const isSplit =
    both?.outcome === 'exited' && !both.isComplete && both.fault === null && video !== null && sound !== null
  const ofPictures = isSplit ? await readOnce(tools, { ...streams, sound: null }, signal) : both
  const ofSound = isSplit ? await readOnce(tools, { ...streams, video: null, sound }, signal) : both
  const pictures = video === null || ofPictures === null ? null : await picturesOf(tools, streams, ofPictures, signal)
  if (streams.sound === null) return { pictures, sound: null, fingerprint: null }
  return { pictures, ...soundOf(isFingerprinted ? ofSound : null) }
}

/** The result of the pictures; decodes the video completely when its key frames were not sufficient. */
async function picturesOf(
  tools: Tools,
  streams: StreamsToRead,
  analysis: Analysis,
  signal: AbortSignal,
): Promise<FeatureOutcome> {
  const { distributor, durationSeconds } = streams
  const isRepeated = analysis.outcome === 'exited' && analysis.fault === null && !isSufficient(streams)
  const last = isRepeated
    ? await readOnce(tools, { ...streams, sound: null, isKeyFramesOnly: false }, signal)
    : analysis
  const reason = failureOf(last) ?? pictureProblem(distributor.count, durationSeconds)
  return reason === null ? DONE : { outcome: 'failed', reason }
}

function isSufficient({ distributor: { count, isUniform }, durationSeconds }: StreamsToRead): boolean {
  return isWhole(count, durationSeconds) && (count === 1 || !isUniform)
}

function soundOf(analysis: Analysis | null): { sound: FeatureOutcome; fingerprint: Buffer | null } {
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
function failureOf({ outcome, isComplete, fault, exitCode, stderrTail }: Analysis): string | null {
  if (isComplete) return null
  if (outcome === 'stalled') return 'ffmpeg made no progress'
  if (outcome === 'too_much_output') return 'the film has more pictures or sound than its duration explains'
  const lines = stderrTail.trim().split('\n')
  const text = fault?.text ?? lines.at(-1) ?? ''
  return (text === '' ? `ffmpeg ended with code ${exitCode}` : text).slice(0, MAX_REASON_CHARACTERS)
}

async function readOnce(
  tools: Tools,
  {
    input,
    durationSeconds,
    video,
    sound,
    distributor,
    niceness,
    ...options
  }: StreamsToRead & { isKeyFramesOnly?: boolean },
  signal: AbortSignal,
): Promise<Analysis> {
  if (video !== null) await distributor.restart()
  const pictures =
    video === null
      ? null
      : {
          streamIndex: video.streamIndex,
          hdrTransfer: (await canConvert(tools, video)) ? video.hdrTransfer : null,
          isKeyFramesOnly: options.isKeyFramesOnly ?? true,
          maxPictures: maxPictures(durationSeconds),
          onPicture: (rgb: Buffer, index: number) => distributor.frame(rgb, index),
        }
  const analysis = await tools.analyse({ input, pictures, sound }, { niceness, signal })
  signal.throwIfAborted()
  return analysis
}

async function canConvert(tools: Tools, { hdrTransfer }: FilmVideo): Promise<boolean> {
  if (hdrTransfer === null) return false
  const filters = await tools.parts('filters')
  return TONE_MAPPING.every((name) => filters.has(name))
}
