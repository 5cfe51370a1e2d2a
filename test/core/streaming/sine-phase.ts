import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const RATE = 48_000
const TONE_HERTZ = 440
/** Whole periods of the tone: 1200 samples are eleven of them. */
const WINDOW_SAMPLES = 1200
/** The encoder's first packets, and what padding follows the end. */
const EDGE_WINDOWS = 20

/**
 * How far the phase of a 440 Hz tone strays, in microseconds, over a whole stream: a lost or repeated sample at a join
 * would be 21.
 */
export async function sinePhaseExcursion(path: string): Promise<number> {
  const words = ['-v', 'error', '-i', path, '-map', '0:a', '-ac', '1', '-ar', `${RATE}`, '-f', 'f32le', '-']
  const options = { maxBuffer: 1 << 28, encoding: 'buffer' } as const
  const { stdout } = await promisify(execFile)('ffmpeg', words, options)
  const samples = new Float32Array(stdout.buffer, stdout.byteOffset, Math.floor(stdout.length / 4))
  const phases: number[] = []
  for (let at = 0; at + WINDOW_SAMPLES <= samples.length; at += WINDOW_SAMPLES) phases.push(phaseAt(samples, at))
  const inner = phases.slice(EDGE_WINDOWS, -EDGE_WINDOWS)
  const [first = 0] = inner
  // Away from the turn from one period to the next.
  const turned = inner.map((phase) => ((phase - first + 3 * Math.PI) % (2 * Math.PI)) - Math.PI)
  return ((Math.max(...turned) - Math.min(...turned)) / (2 * Math.PI * TONE_HERTZ)) * 1_000_000
}

function phaseAt(samples: Float32Array, begin: number): number {
  let [real, imaginary] = [0, 0]
  for (let at = begin; at < begin + WINDOW_SAMPLES; at += 1) {
    const angle = (2 * Math.PI * TONE_HERTZ * at) / RATE
    real += (samples[at] ?? 0) * Math.cos(angle)
    imaginary -= (samples[at] ?? 0) * Math.sin(angle)
  }
  return Math.atan2(imaginary, real)
}
