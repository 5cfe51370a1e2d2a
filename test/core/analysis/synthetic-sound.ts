import { seededRandom } from '../../support/seeded-random.ts'

/** Samples per second of all synthetic sound. */
export const SAMPLE_RATE = 12_000

/** Adds `source` to `target` from a position in seconds; samples beyond the end are left out. */
export function mix(
  target: Float32Array,
  source: Float32Array,
  { atSeconds, gain = 1 }: { atSeconds: number; gain?: number },
): void {
  const first = Math.round(atSeconds * SAMPLE_RATE)
  for (let index = 0; index < source.length && first + index < target.length; index += 1)
    target[first + index] = (target[first + index] ?? 0) + (source[index] ?? 0) * gain
}

export function silence(seconds: number): Float32Array {
  return new Float32Array(Math.round(seconds * SAMPLE_RATE))
}

/** Speech-like sound: syllables of 0.1 to 0.3 s with a pitch, two formants and pauses, over quiet noise. */
export function speech(seconds: number, seed: number): Float32Array {
  const random = seededRandom(seed)
  const sound = silence(seconds)
  for (let index = 0; index < sound.length; index += 1) sound[index] = (random.fraction() - 0.5) * 0.02
  let at = 0
  while (at < seconds) {
    const length = 0.1 + random.fraction() * 0.2
    if (random.fraction() < 0.8) mix(sound, syllable(length, random.fraction), { atSeconds: at })
    at += length
  }
  return sound
}

function syllable(seconds: number, fraction: () => number): Float32Array {
  const sound = silence(seconds)
  const pitch = 90 + fraction() * 160
  const formants = [300 + fraction() * 600, 900 + fraction() * 1800]
  const harmonics = Array.from({ length: 7 }, (_, index) => {
    const frequency = pitch * (index + 1)
    const gain = Math.max(...formants.map((formant) => Math.exp(-(((frequency - formant) / 250) ** 2))))
    return { step: (2 * Math.PI * frequency) / SAMPLE_RATE, gain: 0.02 + gain * 0.15 }
  })
  for (let index = 0; index < sound.length; index += 1) {
    const envelope = Math.sin((Math.PI * index) / sound.length)
    let sample = 0
    for (const { step, gain } of harmonics) sample += Math.sin(step * index) * gain
    sound[index] = sample * envelope + (fraction() - 0.5) * 0.05 * envelope
  }
  return sound
}

/** Music-like sound: a chord of three notes with overtones every quarter of a second, and a drum twice a second. */
export function music(seconds: number, seed: number): Float32Array {
  const random = seededRandom(seed)
  const sound = silence(seconds)
  const step = 0.25
  for (let at = 0; at < seconds; at += step) {
    const notes = Array.from({ length: 3 }, () => 110 * 2 ** (random.below(36) / 12))
    const chord = silence(step)
    for (let index = 0; index < chord.length; index += 1) {
      const envelope = Math.exp((-2 * index) / chord.length)
      let sample = 0
      for (const note of notes)
        for (const overtone of [1, 2, 3])
          sample += Math.sin((2 * Math.PI * note * overtone * index) / SAMPLE_RATE) / overtone
      chord[index] = sample * envelope * 0.1
    }
    mix(sound, chord, { atSeconds: at })
    if (Math.round(at / step) % 2 === 0) mix(sound, drum(random.fraction), { atSeconds: at })
  }
  return sound
}

function drum(fraction: () => number): Float32Array {
  const sound = silence(0.08)
  for (let index = 0; index < sound.length; index += 1)
    sound[index] = (fraction() - 0.5) * 0.5 * Math.exp((-6 * index) / sound.length)
  return sound
}

/** A steady tone with its first overtone, as mains hum. */
export function hum(seconds: number): Float32Array {
  const sound = silence(seconds)
  const step = (2 * Math.PI * 50) / SAMPLE_RATE
  for (let index = 0; index < sound.length; index += 1)
    sound[index] = Math.sin(step * index) * 0.03 + Math.sin(2 * step * index) * 0.02
  return sound
}

/** Signed 16-bit little-endian samples, as ffmpeg reads with `-f s16le`. */
export function toPcm(sound: Float32Array): Buffer {
  const samples = new Int16Array(sound.length)
  for (let index = 0; index < sound.length; index += 1)
    samples[index] = Math.round(Math.max(-1, Math.min(1, sound[index] ?? 0)) * 32_000)
  return Buffer.from(samples.buffer)
}
