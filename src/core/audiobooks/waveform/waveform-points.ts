/** The loudness of a part of a book at a fixed sample rate; each value 0 to 127. */
export type LoudnessEnvelope = { startSeconds: number; samples: Int8Array }

/** Samples of an envelope per second. */
export const ENVELOPE_HERTZ = 100

/** Twice the resolution of the widest screens, so that a chapter of a long book is still visible. */
const MAX_POINTS = 4800
const MIN_POINTS = 100
const POINTS_PER_SECOND = 4

/** The waveform of a book: equal time ranges, each with its root mean square relative to the loudest, 0 to 100. Pure. */
export function computeWaveformPoints(envelopes: readonly LoudnessEnvelope[], durationSeconds: number): number[] {
  const count = Math.min(Math.max(Math.ceil(durationSeconds * POINTS_PER_SECOND), MIN_POINTS), MAX_POINTS)
  const [squares, counts] = [new Float64Array(count), new Uint32Array(count)]
  for (const { startSeconds, samples } of envelopes) {
    for (const [index, sample] of samples.entries()) {
      const at = Math.floor(((startSeconds + index / ENVELOPE_HERTZ) / durationSeconds) * count)
      if (at >= count) break
      squares[at] = (squares[at] ?? 0) + sample * sample
      counts[at] = (counts[at] ?? 0) + 1
    }
  }
  const levels = Array.from(squares, (sum, index) => Math.sqrt(sum / Math.max(counts[index] ?? 0, 1)))
  const loudest = levels.reduce((most, level) => Math.max(most, level), 1)
  return levels.map((level) => Math.round((level / loudest) * 100))
}
