import {
  BOUNDARY_SAMPLE_RATE,
  BOUNDARY_WINDOW_SECONDS,
  type BoundarySide,
  type BoundarySamples,
} from '../boundaries/refine-shared-sound-boundary.ts'

/** An edge of a fingerprint is moved to a chapter or a silence within these distances. */
const CHAPTER_SECONDS = 1
const SILENCE_SECONDS = 0.4
/** Silence: at least this long and below -45 dB of full scale. */
const MIN_SILENCE_SECONDS = 0.2
const SILENCE_AMPLITUDE = 10 ** (-45 / 20)
const FRAME = BOUNDARY_SAMPLE_RATE / 100

/**
 * The most probable exact place of an edge whose waveform could not be compared: the nearest chapter, else the nearest silence, else the
 * edge itself. An intro begins after a silence and ends before one. Pure.
 * @param around the sound around the edge; undefined when it could not be read
 * @returns seconds from the start of the film
 */
export function estimateMarkerBoundary(
  edgeSeconds: number,
  {
    side,
    around,
    chapterSeconds,
  }: { side: BoundarySide; around: BoundarySamples | undefined; chapterSeconds: readonly number[] },
): number {
  const chapter = nearest(chapterSeconds, edgeSeconds, CHAPTER_SECONDS)
  if (chapter !== undefined || around === undefined) return chapter ?? edgeSeconds
  const first = edgeSeconds - BOUNDARY_WINDOW_SECONDS / 2
  const places = silences(around).map(
    ({ startSeconds, endSeconds }) => first + (side === 'start' ? endSeconds : startSeconds),
  )
  return nearest(places, edgeSeconds, SILENCE_SECONDS) ?? edgeSeconds
}

function nearest(places: readonly number[], atSeconds: number, reachSeconds: number): number | undefined {
  const [best] = places
    .filter((place) => Math.abs(place - atSeconds) <= reachSeconds)
    .toSorted((one, other) => Math.abs(one - atSeconds) - Math.abs(other - atSeconds))
  return best
}

function silences(sound: BoundarySamples): { startSeconds: number; endSeconds: number }[] {
  const ranges: { startSeconds: number; endSeconds: number }[] = []
  let silentFrames = 0
  for (let first = 0; first <= sound.length; first += FRAME) {
    if (first + FRAME <= sound.length && isSilent(sound.subarray(first, first + FRAME))) {
      silentFrames += 1
      continue
    }
    const seconds = (silentFrames * FRAME) / BOUNDARY_SAMPLE_RATE
    const endSeconds = first / BOUNDARY_SAMPLE_RATE
    if (seconds >= MIN_SILENCE_SECONDS) ranges.push({ startSeconds: endSeconds - seconds, endSeconds })
    silentFrames = 0
  }
  return ranges
}

function isSilent(frame: Float32Array): boolean {
  return frame.every((sample) => Math.abs(sample) < SILENCE_AMPLITUDE)
}
