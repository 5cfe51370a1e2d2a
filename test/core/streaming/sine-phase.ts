import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const RATE = 48_000
const TONE_HERTZ = 440
/** Whole periods of the tone: 1200 samples are eleven periods. */
const WINDOW_SAMPLES = 1200
const ANGLES = Array.from({ length: WINDOW_SAMPLES }, (_, at) => (2 * Math.PI * TONE_HERTZ * at) / RATE)
/** The tone of every window, because each window begins with a new period. */
const [COSINES, SINES] = [Float64Array.from(ANGLES, Math.cos), Float64Array.from(ANGLES, Math.sin)]
/** Samples skipped at the start (encoder delay) and at the end (padding). */
const EDGE_WINDOWS = 20

/** Minimum level of a window of a continuous tone, relative to the usual level. */
const STEADY_LEVEL = 0.9
const GAP_WINDOWS = 5

/**
 * Returns the phase deviation of a 440 Hz tone over a whole stream, in microseconds: a lost or repeated sample at a join would be 21.
 * @param options.hasGaps windows with another level, and their neighbours, are ignored
 */
export async function sinePhaseExcursion(path: string, { hasGaps = false } = {}): Promise<number> {
  const words = ['-v', 'error', '-i', path, '-map', '0:a', '-ac', '1', '-ar', `${RATE}`, '-f', 'f32le', '-']
  const options = { maxBuffer: 1 << 28, encoding: 'buffer' } as const
  const { stdout } = await promisify(execFile)('ffmpeg', words, options)
  const samples = new Float32Array(stdout.buffer, stdout.byteOffset, Math.floor(stdout.length / 4))
  const windows: { phase: number; level: number }[] = []
  for (let at = 0; at + WINDOW_SAMPLES <= samples.length; at += WINDOW_SAMPLES) windows.push(toneAt(samples, at))
  const all = windows.slice(EDGE_WINDOWS, -EDGE_WINDOWS)
  const usual = all.map(({ level }) => level).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
  const isSteady = ({ level }: { level: number }): boolean =>
    level > usual * STEADY_LEVEL && level < usual / STEADY_LEVEL
  // If one transport stream unit contains several AAC packets, only the first has a timestamp: after a lost packet the following ones are
  // in the next unit.
  const kept = all.filter((_, place) => all.slice(Math.max(0, place - GAP_WINDOWS), place + 2).every(isSteady))
  const inner = (hasGaps ? kept : all).map(({ phase }) => phase)
  const [first = 0] = inner
  // Keeps a distance from the boundary between periods.
  const turned = inner.map((phase) => ((phase - first + 3 * Math.PI) % (2 * Math.PI)) - Math.PI)
  return ((Math.max(...turned) - Math.min(...turned)) / (2 * Math.PI * TONE_HERTZ)) * 1_000_000
}

function toneAt(samples: Float32Array, begin: number): { phase: number; level: number } {
  let [real, imaginary] = [0, 0]
  for (let at = 0; at < WINDOW_SAMPLES; at += 1) {
    const sample = samples[begin + at] ?? 0
    real += sample * (COSINES[at] ?? 0)
    imaginary -= sample * (SINES[at] ?? 0)
  }
  return { phase: Math.atan2(imaginary, real), level: Math.hypot(real, imaginary) }
}
