import { SAMPLE_RATE, SAMPLES_PER_PACKET, type AudioWindow } from './audio-grid.ts'
import { AUDIO_BITRATE } from './bit-rates.ts'
import type { SourceAudioTrack, StreamJob } from './stream-job.ts'

/** Document 2, Limits: what loudness normalisation aims at. */
const TARGET_LUFS = -16
const HIGHEST_PEAK_DBTP = -1.5

/** Longer than any limiter's look-ahead would be worth; what is measured beyond it is silence or nonsense. */
const LARGEST_GAIN_DECIBELS = 24

/**
 * What the sound is made louder or softer by, in decibels; null where it is left as it is. One number for the whole
 * item: a gain that adapts would step wherever another process goes on. It never lifts the peaks over the limit.
 */
export function loudnessGain(loudness: StreamJob['loudness']): number | null {
  if (loudness === null) return null
  const wanted = TARGET_LUFS - loudness.integratedLufs
  const room = HIGHEST_PEAK_DBTP - loudness.truePeakDbtp
  const gain = Math.min(wanted, Math.max(room, 0), LARGEST_GAIN_DECIBELS)
  return Number.isFinite(gain) ? Math.round(Math.max(gain, -LARGEST_GAIN_DECIBELS) * 100) / 100 : null
}

/** The sound track that is encoded, where on the grid its encoder runs, and by how much its level changes. */
export type AudioEncode = Readonly<{
  track: Pick<SourceAudioTrack, 'snap'>
  window: Pick<AudioWindow, 'encodeFrom' | 'encodeUntil'>
  gainDecibels: number | null
}>

/** The words that encode sound as stereo AAC on the audio grid, whatever layout and rate it had. */
export function audioWords({ track, window, gainDecibels }: AudioEncode): string[] {
  const filters = [
    ...(track.snap === null ? [] : [snapFilter(track.snap)]),
    // first_pts counts samples of its input's rate, so the rate is changed by a filter of its own before.
    `aresample=${SAMPLE_RATE}`,
    `aresample=async=1:first_pts=${window.encodeFrom}`,
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

function snapFilter({ granuleSamples, phaseSamples }: { granuleSamples: number; phaseSamples: number }): string {
  return `asetpts='round((PTS-(${phaseSamples}))/${granuleSamples})*${granuleSamples}+(${phaseSamples})'`
}
