import { AUDIO_SAMPLE_RATE, SAMPLES_PER_PACKET, type AudioWindow } from '../timeline/audio-timeline.ts'
import { AUDIO_BITRATE } from '../ladder/bit-rates.ts'
import { formatMicrosecondsAsSeconds } from '../timeline/segment-timeline.ts'
import { clockJumpFilters, type JumpingClock } from '../timeline/jump-filters.ts'
import type { SourceAudioTrack, StreamPlan } from '../job/stream-plan.ts'

/** Loudness normalisation target (EBU R 128 terms: integrated loudness and true peak). */
const TARGET_LUFS = -16
const MAX_PEAK_DBTP = -1.5

/** Upper limit of the gain. A larger measured value comes from silence or from a failed measurement. */
const MAX_GAIN_DECIBELS = 24

/**
 * Returns the gain in decibels that normalises an item's loudness, or null for no change. One constant gain applies to the whole item: an
 * adaptive gain would step at the boundaries between encoder processes. The gain never lifts true peaks above the limit.
 */
export function loudnessGain(loudness: StreamPlan['loudness']): number | null {
  if (loudness === null) return null
  const wanted = TARGET_LUFS - loudness.integratedLufs
  const room = MAX_PEAK_DBTP - loudness.truePeakDbtp
  const gain = Math.min(wanted, Math.max(room, 0), MAX_GAIN_DECIBELS)
  return Number.isFinite(gain) ? Math.round(Math.max(gain, -MAX_GAIN_DECIBELS) * 100) / 100 : null
}

/** The encoded audio track, the range of the sample grid that its encoder covers, its gain, and the clock of the source. */
export type AudioEncoding = Readonly<{
  track: Pick<SourceAudioTrack, 'snap'>
  window: Pick<AudioWindow, 'encodeFrom' | 'encodeUntil'>
  gainDecibels: number | null
  clock: JumpingClock
}>

/** Longer gaps in the audio are filled with silence. The value is shorter than a packet and longer than the rounding of any container. */
const MIN_GAP_SECONDS = 0.01

/** 40 ms are an integer number of samples at all common sample rates, from 8,000 and 11,025 Hz upwards. */
const CUT_STEP_SAMPLES = AUDIO_SAMPLE_RATE / 25

/** Returns the ffmpeg arguments that encode audio as stereo AAC on the sample grid, for any source layout and sample rate. */
export function audioArguments({ track, window, gainDecibels, clock }: AudioEncoding): string[] {
  const filters = [
    ...clockJumpFilters('asetpts', clock),
    ...(track.snap === null ? [] : [snapFilter(track.snap)]),
    `atrim=start=${cutTime(window.encodeFrom)}`,
    // first_pts counts samples at the rate of the filter's input, so a separate filter converts the rate first.
    `aresample=${AUDIO_SAMPLE_RATE}`,
    `aresample=async=1:min_hard_comp=${MIN_GAP_SECONDS}:first_pts=${window.encodeFrom}`,
    'aformat=sample_fmts=fltp:channel_layouts=stereo',
    ...(gainDecibels === null ? [] : [`volume=${gainDecibels}dB`]),
    'apad',
    `atrim=end_pts=${window.encodeUntil}`,
  ]
  return ['-af', filters.join(','), '-c:a', 'aac', '-b:a', `${AUDIO_BITRATE}`]
}

/**
 * Returns the ffmpeg arguments that drop the packets outside the window. ffmpeg passes timestamps to this filter in units of the encoder
 * or of the muxer, depending on which stream was ready first, and does not say which. The packet's duration `d`, always 1,024 samples,
 * reveals the unit.
 */
export function dropPacketArguments(window: Pick<AudioWindow, 'keepFrom' | 'keepBefore'>): string[] {
  const earlier = String.raw`lt(pts*${SAMPLES_PER_PACKET}\,${window.keepFrom}*d)`
  const later = window.keepBefore === null ? '' : String.raw`+gte(pts*${SAMPLES_PER_PACKET}\,${window.keepBefore}*d)`
  return ['-bsf:a', `noise=drop=${earlier}${later}`]
}

/**
 * Returns the time at which decoded audio is cut before resampling, in seconds. Each run counts samples from its first one, so that time
 * must be exact; earlier packets are decoded only to correct rounded timestamps. The cut is an integer number of samples at both rates,
 * so all runs produce the same samples.
 */
function cutTime(encodeFrom: number): string {
  const sample = (Math.floor(encodeFrom / CUT_STEP_SAMPLES) - 1) * CUT_STEP_SAMPLES
  return formatMicrosecondsAsSeconds(Math.round((sample * 1_000_000) / AUDIO_SAMPLE_RATE))
}

/**
 * A larger difference between timestamp and sample count is a gap in the audio: no container rounds by this much. The sample count then
 * restarts.
 */
const MAX_ROUNDING_SECONDS = 0.005
/** Number of packets in the mean. Long enough to average out several cycles of rounding, short enough to follow a drifting clock. */
const AVERAGED_PACKETS = 64

/** Packets of an unknown codec usually have a constant size, or last whole milliseconds, which containers store exactly. */
const MAX_OWN_GRANULE_SAMPLES = 128

/**
 * Returns the filter that corrects rounded timestamps. It takes the mean difference between timestamp and sample count, and snaps the
 * result to the nearest multiple of the granule. The end of a packet is snapped, because the decoder may drop the beginning of the first
 * packet. Register 2 holds the difference of the current packet, register 0 the mean, register 1 the number of packets in the mean.
 */
function snapFilter({ granuleSamples, phaseSamples }: { granuleSamples: number; phaseSamples: number }): string {
  const unit = granuleSamples === 1 ? `gcd(S,${MAX_OWN_GRANULE_SAMPLES})` : granuleSamples
  const steps = [
    'st(2,PTS-NB_CONSUMED_SAMPLES)',
    `st(1,if(gt(abs(ld(2)-ld(0)),SR*${MAX_ROUNDING_SECONDS}),1,min(ld(1)+1,${AVERAGED_PACKETS})))`,
    'st(0,ld(0)+(ld(2)-ld(0))/ld(1))',
    `round((NB_CONSUMED_SAMPLES+ld(0)+S-(${phaseSamples}))/${unit})*${unit}+(${phaseSamples})-S`,
  ]
  return `asetpts='${steps.join(';')}'`
}
