import { SAMPLE_RATE, SAMPLES_PER_PACKET, type AudioWindow } from './audio-timeline.ts'
import { AUDIO_BITRATE } from './bit-rates.ts'
import { secondsText } from './segment-timeline.ts'
import { jumpFilters } from './jump-filters.ts'
import type { SourceAudioTrack, StreamJob } from './stream-job.ts'

/** Document 2, Limits: what loudness normalisation aims at. */
const TARGET_LUFS = -16
const HIGHEST_PEAK_DBTP = -1.5

/** Longer than any limiter's look-ahead would be worth; what is measured beyond it is silence or nonsense. */
const MAX_GAIN_DECIBELS = 24

/**
 * What the sound is made louder or softer by, in decibels; null where it is left as it is. One number for the whole
 * item: a gain that adapts would step wherever another process goes on. It never lifts the peaks over the limit.
 */
export function loudnessGain(loudness: StreamJob['loudness']): number | null {
  if (loudness === null) return null
  const wanted = TARGET_LUFS - loudness.integratedLufs
  const room = HIGHEST_PEAK_DBTP - loudness.truePeakDbtp
  const gain = Math.min(wanted, Math.max(room, 0), MAX_GAIN_DECIBELS)
  return Number.isFinite(gain) ? Math.round(Math.max(gain, -MAX_GAIN_DECIBELS) * 100) / 100 : null
}

/** The sound track that is encoded, where on the grid its encoder runs, and by how much its level changes. */
export type AudioEncode = Readonly<{
  track: Pick<SourceAudioTrack, 'snap'>
  window: Pick<AudioWindow, 'encodeFrom' | 'encodeUntil'>
  gainDecibels: number | null
  jumps: StreamJob['source']['jumps']
}>

/** A gap in the sound that is longer is filled with silence: shorter than a packet, longer than what any container rounds. */
const SHORTEST_GAP_SECONDS = 0.01

/** 40 ms are a whole number of samples in all usual sampling rates, from 8,000 and 11,025 Hz on. */
const CUT_STEP_SAMPLES = SAMPLE_RATE / 25

/** The words that encode sound as stereo AAC on the audio grid, whatever layout and rate it had. */
export function audioArgs({ track, window, gainDecibels, jumps }: AudioEncode): string[] {
  const filters = [
    ...jumpFilters('asetpts', jumps),
    ...(track.snap === null ? [] : [snapFilter(track.snap)]),
    `atrim=start=${cutTime(window.encodeFrom)}`,
    // first_pts counts samples of its input's rate, so the rate is changed by a filter of its own before.
    `aresample=${SAMPLE_RATE}`,
    `aresample=async=1:min_hard_comp=${SHORTEST_GAP_SECONDS}:first_pts=${window.encodeFrom}`,
    'aformat=sample_fmts=fltp:channel_layouts=stereo',
    ...(gainDecibels === null ? [] : [`volume=${gainDecibels}dB`]),
    'apad',
    `atrim=end_pts=${window.encodeUntil}`,
  ]
  return ['-af', filters.join(','), '-c:a', 'aac', '-b:a', `${AUDIO_BITRATE}`]
}

/**
 * Which packets are thrown away. ffmpeg hands packets to this filter in units of the encoder or of the multiplexer,
 * whichever stream was ready first, and does not say which; the packet's duration `d`, always 1,024 samples, tells the
 * unit.
 */
export function dropWords(window: Pick<AudioWindow, 'keepFrom' | 'keepBefore'>): string[] {
  const earlier = String.raw`lt(pts*${SAMPLES_PER_PACKET}\,${window.keepFrom}*d)`
  const later = window.keepBefore === null ? '' : String.raw`+gte(pts*${SAMPLES_PER_PACKET}\,${window.keepBefore}*d)`
  return ['-bsf:a', `noise=drop=${earlier}${later}`]
}

/**
 * Where the decoded sound is cut before it is resampled, in seconds. Every run counts the samples that follow from its first one, whose
 * time must therefore be exact: the first packets that are decoded only serve to put rounded times right. The resampler begins at a whole sample of both rates, so all runs make the same samples.
 */
function cutTime(encodeFrom: number): string {
  const sample = (Math.floor(encodeFrom / CUT_STEP_SAMPLES) - 1) * CUT_STEP_SAMPLES
  return secondsText(Math.round((sample * 1_000_000) / SAMPLE_RATE))
}

/** The sound has a gap, and is no longer counted from before it, where times differ by more than any container rounds them. */
const MAX_ROUNDING_SECONDS = 0.005
/** How many packets the mean is taken of: several rounds of what rounding leaves over, and few enough to follow a clock that drifts. */
const AVERAGED_PACKETS = 64

/** Packets of a codec that is not known are usually all of one size, or last whole milliseconds, which no container rounds. */
const MAX_OWN_GRANULE_SAMPLES = 128

/**
 * Rounded times put right: how far they are from the count of samples, on average, and from there to the nearest multiple of the granule.
 * The end of a packet is moved, because the decoder may have left out the beginning of the first. Register 2 holds the difference of this
 * packet, register 0 the mean, register 1 the number of packets in it.
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
