import {
  assumedCopyBandwidth,
  AUDIO_BITRATE,
  copyBandwidth,
  encodedBandwidth,
  audioBandwidth,
  sumBandwidths,
  maxVideoBitrate,
  type Bandwidth,
} from './bit-rates.ts'
import { AAC_LC, copiedVideoCodecString, encodedVideoCodecString } from './codec-strings.ts'
import { evaluateAudioCopy, findVideoCopyObstacle } from './copy-rules.ts'
import type { DeviceProfile } from '../job/device-profiles.ts'
import { framesPerSecond, outputFrameRate } from '../timeline/segment-timeline.ts'
import type { LadderSource } from './ladder-source.ts'
import type { VideoRendition } from '../job/rendition.ts'
import { RUNGS, type Rung } from './rungs.ts'

/** One candidate of the ladder, a rung or the original, and the decision about it. */
export type LadderCandidate = Readonly<{
  id: string
  width: number
  height: number
  /** Null if the candidate was dropped or is replaced by another one. */
  rendition: VideoRendition | null
  /** The reason of the decision, as text for people. */
  reason: string
}>

type Size = Readonly<{ width: number; height: number }>

/** The inputs that all candidates of one ladder share. */
type Context = Readonly<{ source: LadderSource; profile: DeviceProfile; size: Size; framesPerSecond: number }>

type AudioPlan = Pick<VideoRendition, 'audio'> & { codec: string | null; bitrate: number }

/** Size assumed for sources of unknown size. */
const ASSUMED_SIZE: Size = { width: 1920, height: 1080 }

const ORIGINAL_ID = 'original'
/** Bandwidth of the separate audio renditions if there are none. */
const NO_BANDWIDTH: Bandwidth = { peak: 0, average: 0 }

const BEST_LABEL = 'Original (best available)'

/** Returns the renditions of a source for a device profile, highest first, at least one. Pure. */
export function chooseLadder(source: LadderSource, profile: DeviceProfile): VideoRendition[] {
  return explainLadder(source, profile).flatMap(({ rendition }) => rendition ?? [])
}

/** Returns all candidates, including the candidates that are not offered, with the reason for each decision, highest first. */
export function explainLadder(source: LadderSource, profile: DeviceProfile): LadderCandidate[] {
  const context: Context = {
    source,
    profile,
    size: knownSize(source) ?? ASSUMED_SIZE,
    framesPerSecond: framesPerSecond(outputFrameRate(source.frameRate)),
  }
  const encoded = encodedSteps(context)
  const original = judgeOriginal(context, topOf(encoded))
  return [original, ...(original.rendition === null ? relabelTop(encoded) : encoded)]
}

function knownSize({ width, height }: LadderSource): Size | undefined {
  return width !== null && height !== null && width > 0 && height > 0 ? { width, height } : undefined
}

/** Returns the standard rungs, and a rung of the source's own size if none of them fits. */
function encodedSteps(context: Context): LadderCandidate[] {
  const steps = RUNGS.map((rung) => judgeRung(rung, context))
  return steps.every(({ rendition }) => rendition === null) ? [...steps, fallbackStep(context)] : steps
}

function judgeRung(rung: Rung, context: Context): LadderCandidate {
  const { size, profile } = context
  const { id, height } = rung
  const width = widthAt(size, height)
  const dropped = (reason: string): LadderCandidate => ({ id, width, height, rendition: null, reason })
  if (height > size.height) return dropped(`higher than the source, which has ${size.height} lines`)
  if (width > profile.maxWidth || height > profile.maxHeight) {
    return dropped(`larger than ${profile.maxWidth}x${profile.maxHeight}, which ${profile.name} is limited to`)
  }
  return encodedStep({ ...rung, width }, context)
}

function encodedStep({ id, width, height, videoKbps }: Rung, context: Context): LadderCandidate {
  const { videoBitrate, reason } = limitBitrate(videoKbps * 1000, context)
  const sound = encodedAudioPlan(context.source)
  const codec = encodedVideoCodecString({ width, height, framesPerSecond: context.framesPerSecond })
  const { framesPerSecond: rate } = context
  const own = encodedBandwidth({ video: videoBitrate, audio: sound.bitrate, framesPerSecond: rate })
  const bandwidth = sumBandwidths(own, additionalAudioBandwidth(context.source))
  const rendition: VideoRendition = {
    kind: 'video',
    id,
    label: id,
    width,
    height,
    ...facts({ videoBitrate, codec, bandwidth }, sound),
    isOriginal: false,
    isCopy: false,
  }
  return { id, width, height, rendition, reason }
}

function encodedAudioPlan({ hasAudio }: LadderSource): AudioPlan {
  return hasAudio
    ? { audio: 'encode', codec: AAC_LC, bitrate: AUDIO_BITRATE }
    : { audio: 'none', codec: null, bitrate: 0 }
}

/**
 * Returns the bandwidth of a separately fetched audio track. Segments with video carry the default track; another track is fetched in
 * addition (RFC 8216, 4.3.4.2: the sum of what is played together).
 */
function additionalAudioBandwidth({ hasAdditionalAudio }: LadderSource): Bandwidth {
  return hasAdditionalAudio ? audioBandwidth() : NO_BANDWIDTH
}

type Rates = { videoBitrate: number; codec: string; bandwidth: Bandwidth }

function facts({ videoBitrate, codec, bandwidth }: Rates, sound: AudioPlan) {
  return {
    bitrate: bandwidth.peak,
    averageBitrate: bandwidth.average,
    videoBitrate,
    codecs: sound.codec === null ? codec : `${codec},${sound.codec}`,
    audio: sound.audio,
  }
}

/**
 * Returns the width at a given height in the source's aspect ratio. It is even, and not above the source's width unless the height is
 * above the source's height.
 */
function widthAt(source: Size, height: number): number {
  const nearest = Math.round((source.width * height) / source.height / 2) * 2
  const most = height > source.height ? nearest : Math.floor(source.width / 2) * 2
  return Math.max(2, Math.min(nearest, most))
}

/** Returns a rung of the source's own size, scaled down to fit the device, at the bit rate of the next higher rung. */
function fallbackStep(context: Context): LadderCandidate {
  const { size, profile } = context
  const shrink = Math.min(1, profile.maxWidth / size.width, profile.maxHeight / size.height)
  // Rounded down, so that the result is never larger than the source or the device.
  const even = (length: number): number => Math.max(2, Math.floor((length * shrink) / 2) * 2)
  const [width, height] = [even(size.width), even(size.height)]
  const videoKbps = rateAt(height)
  const step = encodedStep({ id: `${height}p`, width, height, videoKbps }, context)
  return { ...step, reason: 'no rung fits: the size of the source, within what the device shows' }
}

/** Returns the bit rate of the lowest rung that is at least as high, in kbit/s. */
function rateAt(height: number): number {
  return (RUNGS.findLast((rung) => rung.height >= height) ?? RUNGS[0])?.videoKbps ?? 0
}

/** Limits the video bit rate to the source's own rate and the advertised bandwidth to the device's limit. */
function limitBitrate(
  target: number,
  { source, profile, ...context }: Context,
): { videoBitrate: number; reason: string } {
  // Leaves one bit per second below the limit: a copy in the same ladder announces one more than the top rung.
  const room = maxVideoBitrate(profile.maxBitrate - 1 - additionalAudioBandwidth(source).peak, {
    audio: encodedAudioPlan(source).bitrate,
    framesPerSecond: context.framesPerSecond,
  })
  const known = knownBitrate(source) ?? Number.POSITIVE_INFINITY
  const videoBitrate = Math.floor(Math.min(target, known, room))
  if (room < target && room <= known) {
    return { videoBitrate, reason: `as many bits as ${profile.name} is limited to` }
  }
  return { videoBitrate, reason: known < target ? 'as many bits as the source has' : 'fits source and device' }
}

function knownBitrate({ bitrate }: LadderSource): number | undefined {
  return bitrate !== null && bitrate > 0 ? bitrate : undefined
}

function topOf(steps: readonly LadderCandidate[]): VideoRendition {
  const top = steps.find(({ rendition }) => rendition !== null)?.rendition
  if (top === undefined || top === null) throw new RangeError('a ladder without a rung')
  return top
}

/** Decides whether the original video can be copied, and whether its audio can be copied too. */
function judgeOriginal(context: Context, top: VideoRendition): LadderCandidate {
  const { source, profile, size } = context
  const step = { id: ORIGINAL_ID, ...size }
  const replacement = `replaced by ${top.id}, the best available`
  const refusal = findVideoCopyObstacle(source)
  const codec = copiedVideoCodecString({ ...source, ...size, framesPerSecond: context.framesPerSecond })
  if (refusal !== null || codec === undefined) {
    return { ...step, rendition: null, reason: `${replacement}: ${refusal ?? 'the kind of H.264 is unusual'}` }
  }
  if (size.width > profile.maxWidth || size.height > profile.maxHeight) {
    const most = `${profile.maxWidth}x${profile.maxHeight}`
    return {
      ...step,
      rendition: null,
      reason: `${replacement}: larger than ${most}, which ${profile.name} is limited to`,
    }
  }
  const sound = audioForCopy(source)
  const videoBitrate = knownBitrate(source) ?? rateAt(size.height) * 1000
  const { framesPerSecond: rate } = context
  // Uses the source's average even if the peaks are known: a few seconds of noise do not justify encoding a whole film.
  const further = additionalAudioBandwidth(source)
  const assumed = sumBandwidths(
    assumedCopyBandwidth({ video: videoBitrate, audio: sound.bitrate, framesPerSecond: rate }),
    further,
  )
  if (assumed.peak > profile.maxBitrate) {
    const reason = `${replacement}: ${assumed.peak} bits per second are more than ${profile.name} is limited to`
    return { ...step, rendition: null, reason }
  }
  const encodedAudio = sound.audio === 'encode' ? sound.bitrate : 0
  const bandwidth =
    source.copiedRates === null
      ? assumed
      : sumBandwidths(copyBandwidth(source.copiedRates, { encodedAudio, framesPerSecond: rate }), further)
  // The original must come first, even if its bit rate is lower than that of an encoded rung. It must not exceed the device's limit.
  // hls.js treats two renditions of the same size and bandwidth as two sources of one rendition and offers only one of them.
  const peak = Math.min(profile.maxBitrate, Math.max(bandwidth.peak, top.bitrate + 1))
  const rendition: VideoRendition = {
    kind: 'video',
    ...step,
    label: `Original (${size.height}p)`,
    ...facts({ videoBitrate, codec, bandwidth: { peak, average: Math.min(peak, bandwidth.average) } }, sound),
    isOriginal: true,
    isCopy: true,
  }
  return { ...step, rendition, reason: `picture copied; ${describeAudio(source, sound)}` }
}

/** Decides about audio independently of the video. */
function audioForCopy(source: LadderSource): AudioPlan {
  const verdict = evaluateAudioCopy(source)
  return 'refusal' in verdict ? encodedAudioPlan(source) : { audio: 'copy', ...verdict }
}

function describeAudio(source: LadderSource, { audio }: AudioPlan): string {
  if (audio === 'none') return 'no sound'
  const verdict = evaluateAudioCopy(source)
  return 'refusal' in verdict ? `sound encoded: ${verdict.refusal}` : 'sound copied'
}

/**
 * Without a copy the highest rung represents the original, under its own id. Its audio is encoded even if a copy were possible: all rungs
 * must carry the same packets so that players can switch.
 */
function relabelTop(steps: readonly LadderCandidate[]): LadderCandidate[] {
  const top = topOf(steps)
  const best: VideoRendition = { ...top, label: BEST_LABEL, isOriginal: true }
  return steps.map((step) => (step.rendition === top ? { ...step, rendition: best } : step))
}
