import type { MediaTools } from '../../platform/media-tools/index.ts'
import {
  BOUNDARY_SAMPLE_RATE,
  BOUNDARY_WINDOW_SECONDS,
  type BoundarySamples,
} from '../boundaries/refine-shared-sound-boundary.ts'
import { BACKGROUND_NICENESS } from '../film/background-niceness.ts'

/** The sound track of a file. */
export type SoundTrack = Readonly<{ path: string; streamIndex: number }>

/** Added on both sides, because the partner's time of an edge differs a little from its own coarse edge. */
const MARGIN_SECONDS = 4
const TIMEOUT_SECONDS = 120
/** Maximum number of windows in memory; each takes 768 KB. */
const MAX_WINDOWS = 64

/** Returns `BOUNDARY_WINDOW_SECONDS` of a track around a time; silence before the start and after the end. Undefined when ffmpeg failed. */
export type ReadBoundarySamples = (episode: number, atSeconds: number) => Promise<BoundarySamples | undefined>

type Window = { episode: number; fromSeconds: number; sound: Promise<Float32Array | undefined> }

/** Reads the sound around edges. Each decoded range is kept for the next edge near it, because every partner needs the same ranges. */
export function createBoundaryReader(
  { mediaTools }: { mediaTools: Pick<MediaTools, 'decodeAudio'> },
  tracks: readonly SoundTrack[],
  signal: AbortSignal,
): ReadBoundarySamples {
  const windows: Window[] = []
  const open = (episode: number, track: SoundTrack, atSeconds: number): Window => {
    const fromSeconds = Math.max(0, atSeconds - BOUNDARY_WINDOW_SECONDS / 2 - MARGIN_SECONDS)
    const request = {
      input: track.path,
      streamIndex: track.streamIndex,
      fromSeconds,
      seconds: BOUNDARY_WINDOW_SECONDS + 2 * MARGIN_SECONDS,
      sampleRate: BOUNDARY_SAMPLE_RATE,
    }
    const options = { timeoutSeconds: TIMEOUT_SECONDS, niceness: BACKGROUND_NICENESS, signal }
    const window = { episode, fromSeconds, sound: mediaTools.decodeAudio(request, options) }
    windows.push(window)
    if (windows.length > MAX_WINDOWS) windows.shift()
    return window
  }
  return async (episode, atSeconds) => {
    const track = tracks[episode]
    if (track === undefined) return undefined
    const fromSeconds = atSeconds - BOUNDARY_WINDOW_SECONDS / 2
    const holds = (window: Window): boolean =>
      window.episode === episode &&
      Math.max(0, fromSeconds) >= window.fromSeconds &&
      fromSeconds <= window.fromSeconds + 2 * MARGIN_SECONDS
    const window = windows.find(holds) ?? open(episode, track, atSeconds)
    const sound = await window.sound
    return sound === undefined
      ? undefined
      : cut(sound, Math.round((fromSeconds - window.fromSeconds) * BOUNDARY_SAMPLE_RATE))
  }
}

function cut(sound: Float32Array, first: number): BoundarySamples {
  const edge = new Float32Array(BOUNDARY_WINDOW_SECONDS * BOUNDARY_SAMPLE_RATE)
  edge.set(sound.subarray(Math.max(0, first), Math.max(0, first + edge.length)), Math.max(0, -first))
  return edge
}
