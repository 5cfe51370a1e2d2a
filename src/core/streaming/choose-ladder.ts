import {
  assumedCopyBandwidth,
  AUDIO_BITRATE,
  copyBandwidth,
  encodedBandwidth,
  videoBitrateWithin,
  type Bandwidth,
} from './bit-rates.ts'
import { AAC_LC, copiedVideoCodec, encodedVideoCodec } from './codec-strings.ts'
import { judgeAudioCopy, judgeVideoCopy } from './copy-rules.ts'
import type { DeviceProfile } from './device-profiles.ts'
import { framesPerSecond, outputFrameRate } from './segment-timeline.ts'
import type { LadderSource } from './ladder-source.ts'
import type { VideoRendition } from './rendition.ts'
import { RUNGS, type Rung } from './rungs.ts'

/** One rung that was thought of, or the original, and what came of it. */
export type LadderStep = Readonly<{
  id: string
  width: number
  height: number
  /** Null where it was dropped, or stands for another one. */
  rendition: VideoRendition | null
  /** For people. */
  reason: string
}>

type Size = Readonly<{ width: number; height: number }>

/** What every rung of a ladder follows from. */
type Context = Readonly<{ source: LadderSource; profile: DeviceProfile; size: Size; framesPerSecond: number }>

type Sound = Pick<VideoRendition, 'audio'> & { codec: string | null; bitrate: number }

/** What sources of unknown size count as (ladder rule 7). */
const ASSUMED_SIZE: Size = { width: 1920, height: 1080 }

const ORIGINAL_ID = 'original'
const BEST_LABEL = 'Original (best available)'

/**
 * The renditions that a source is offered in to a kind of device, highest first, at least one. Pure (document 2, ladder
 * rules 1 to 11).
 */
export function chooseLadder(source: LadderSource, profile: DeviceProfile): VideoRendition[] {
  return explainLadder(source, profile).flatMap(({ rendition }) => rendition ?? [])
}

/** The same with every rung that was dropped, and with the reason for each, highest first. */
export function explainLadder(source: LadderSource, profile: DeviceProfile): LadderStep[] {
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

/** Ladder rules 2 to 6: the canonical rungs, and one of the source's own size where none of them fits. */
function encodedSteps(context: Context): LadderStep[] {
  const steps = RUNGS.map((rung) => judgeRung(rung, context))
  return steps.every(({ rendition }) => rendition === null) ? [...steps, fallbackStep(context)] : steps
}

function judgeRung(rung: Rung, context: Context): LadderStep {
  const { size, profile } = context
  const { id, height } = rung
  const width = widthAt(size, height)
  const dropped = (reason: string): LadderStep => ({ id, width, height, rendition: null, reason })
  if (height > size.height) return dropped(`higher than the source, which has ${size.height} lines`)
  if (width > profile.maxWidth || height > profile.maxHeight) {
    return dropped(`larger than ${profile.maxWidth}x${profile.maxHeight}, which ${profile.name} is limited to`)
  }
  return encodedStep({ ...rung, width }, context)
}

function encodedStep({ id, width, height, videoKbps }: Rung, context: Context): LadderStep {
  const { videoBitrate, reason } = limitBitrate(videoKbps * 1000, context)
  const sound = encodedSound(context.source)
  const codec = encodedVideoCodec({ width, height, framesPerSecond: context.framesPerSecond })
  const { framesPerSecond: rate } = context
  const bandwidth = encodedBandwidth({ video: videoBitrate, audio: sound.bitrate, framesPerSecond: rate })
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

function encodedSound({ hasAudio }: LadderSource): Sound {
  return hasAudio
    ? { audio: 'encode', codec: AAC_LC, bitrate: AUDIO_BITRATE }
    : { audio: 'none', codec: null, bitrate: 0 }
}

type Rates = { videoBitrate: number; codec: string; bandwidth: Bandwidth }

function facts({ videoBitrate, codec, bandwidth }: Rates, sound: Sound) {
  return {
    bitrate: bandwidth.peak,
    averageBitrate: bandwidth.average,
    videoBitrate,
    codecs: sound.codec === null ? codec : `${codec},${sound.codec}`,
    audio: sound.audio,
  }
}

/**
 * Width at a height in the source's aspect ratio, even, and never above the source's own as long as the height is not (ladder rules 2
 * and 5).
 */
function widthAt(source: Size, height: number): number {
  const nearest = Math.round((source.width * height) / source.height / 2) * 2
  const most = height > source.height ? nearest : Math.floor(source.width / 2) * 2
  return Math.max(2, Math.min(nearest, most))
}

/** The source's own size, made to fit the device, at the bit rate of the lowest rung that is as high (ladder rule 6). */
function fallbackStep(context: Context): LadderStep {
  const { size, profile } = context
  const shrink = Math.min(1, profile.maxWidth / size.width, profile.maxHeight / size.height)
  // Rounded down: never larger than source or device.
  const even = (length: number): number => Math.max(2, Math.floor((length * shrink) / 2) * 2)
  const [width, height] = [even(size.width), even(size.height)]
  const videoKbps = rateAt(height)
  const step = encodedStep({ id: `${height}p`, width, height, videoKbps }, context)
  return { ...step, reason: 'no rung fits: the size of the source, within what the device shows' }
}

/** That of the lowest rung that is at least as high. */
function rateAt(height: number): number {
  return (RUNGS.findLast((rung) => rung.height >= height) ?? RUNGS[0])?.videoKbps ?? 0
}

/** Ladder rules 3 and 4: not more than the source's own rate, and what is advertised stays within the device's. */
function limitBitrate(
  target: number,
  { source, profile, ...context }: Context,
): { videoBitrate: number; reason: string } {
  // One less: a copy beside it announces one more.
  const room = videoBitrateWithin(profile.maxBitrate - 1, {
    audio: encodedSound(source).bitrate,
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

function topOf(steps: readonly LadderStep[]): VideoRendition {
  const top = steps.find(({ rendition }) => rendition !== null)?.rendition
  if (top === undefined || top === null) throw new RangeError('a ladder without a rung')
  return top
}

/** Ladder rules 10 and 11: the picture as it is, and the sound as it is where that can be. */
function judgeOriginal(context: Context, top: VideoRendition): LadderStep {
  const { source, profile, size } = context
  const step = { id: ORIGINAL_ID, ...size }
  const stands = `stands for ${top.id}, the best that there is`
  const refusal = judgeVideoCopy(source)
  const codec = copiedVideoCodec({ ...source, ...size, framesPerSecond: context.framesPerSecond })
  if (refusal !== null || codec === undefined) {
    return { ...step, rendition: null, reason: `${stands}: ${refusal ?? 'the kind of H.264 is unusual'}` }
  }
  if (size.width > profile.maxWidth || size.height > profile.maxHeight) {
    const most = `${profile.maxWidth}x${profile.maxHeight}`
    return { ...step, rendition: null, reason: `${stands}: larger than ${most}, which ${profile.name} is limited to` }
  }
  const sound = soundBeside(source)
  const videoBitrate = knownBitrate(source) ?? rateAt(size.height) * 1000
  const { framesPerSecond: rate } = context
  // By the average of the source, also where its peaks are known: a few seconds of noise are no reason to encode a film.
  const assumed = assumedCopyBandwidth({ video: videoBitrate, audio: sound.bitrate, framesPerSecond: rate })
  if (assumed.peak > profile.maxBitrate) {
    const reason = `${stands}: ${assumed.peak} bits per second are more than ${profile.name} is limited to`
    return { ...step, rendition: null, reason }
  }
  const encodedAudio = sound.audio === 'encode' ? sound.bitrate : 0
  const bandwidth =
    source.copiedRates === null ? assumed : copyBandwidth(source.copiedRates, { encodedAudio, framesPerSecond: rate })
  // Its place is the first one, also where its bits are fewer than an encoder's; and it is never above the device's (ladder rules 4, 8
  // and 10).
  // hls.js takes two of the same size and bandwidth for one that can be had in two places, and offers one of them.
  const peak = Math.min(profile.maxBitrate, Math.max(bandwidth.peak, top.bitrate + 1))
  const rendition: VideoRendition = {
    kind: 'video',
    ...step,
    label: `Original (${size.height}p)`,
    ...facts({ videoBitrate, codec, bandwidth: { peak, average: Math.min(peak, bandwidth.average) } }, sound),
    isOriginal: true,
    isCopy: true,
  }
  return { ...step, rendition, reason: `picture copied; ${describeSound(source, sound)}` }
}

/** Decided independently of the picture (ladder rule 11). */
function soundBeside(source: LadderSource): Sound {
  const verdict = judgeAudioCopy(source)
  return 'refusal' in verdict ? encodedSound(source) : { audio: 'copy', ...verdict }
}

function describeSound(source: LadderSource, { audio }: Sound): string {
  if (audio === 'none') return 'no sound'
  const verdict = judgeAudioCopy(source)
  return 'refusal' in verdict ? `sound encoded: ${verdict.refusal}` : 'sound copied'
}

/**
 * Without a copy the highest rung is what stands for the original, once and under its own id (ladder rule 10). Its sound
 * is encoded even where it could be copied: all rungs carry the same packets, so that players can switch (rule 12).
 */
function relabelTop(steps: readonly LadderStep[]): LadderStep[] {
  const top = topOf(steps)
  const best: VideoRendition = { ...top, label: BEST_LABEL, isOriginal: true }
  return steps.map((step) => (step.rendition === top ? { ...step, rendition: best } : step))
}
