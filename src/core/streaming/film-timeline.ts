import type { StreamIndex } from '../probing/index.ts'
import { sumOfJumps } from './clock-jumps.ts'
import { framesPerSecond, makeFrameGrid, outputFrameRate, type SegmentTimeline } from './segment-timeline.ts'
import type { FilmSource } from './source-profile.ts'

const MICROSECONDS = 1_000_000

/** A tail of sound after the picture, up to this, is no reason for another frame: codecs fill up their last packet. */
const SOUND_TAIL_SECONDS = 0.1

/** The grid of a film, which says how long all its renditions last. Pure. */
export function filmGrid(film: FilmSource, index: StreamIndex | undefined): SegmentTimeline {
  return makeFrameGrid({ frameRate: outputFrameRate(film.frameRate), ...lengthOf(film, index) })
}

/** What a scan took the length from jumps with the clock, and the bit rate follows from the length. */
export function withoutClockJumps(film: FilmSource, index: StreamIndex): FilmSource {
  if (index.jumps.length === 0) return film
  const shown = index.endMicroseconds - index.firstMicroseconds
  const share = (shown + sumOfJumps(index.jumps)) / shown
  return {
    ...film,
    durationSeconds: shown / MICROSECONDS + film.videoStartSeconds - film.containerStartSeconds,
    bitrate: film.bitrate === null ? null : Math.round(film.bitrate * share),
  }
}

/** The picture decides; sound that goes on after it keeps its last frame on the screen. */
function lengthOf(
  film: FilmSource,
  index: StreamIndex | undefined,
): { durationSeconds: number; frameCount: number | null } {
  const whole = film.durationSeconds - (film.videoStartSeconds - film.containerStartSeconds)
  const shown = index === undefined ? 0 : (index.endMicroseconds - index.firstMicroseconds) / MICROSECONDS
  if (index === undefined || shown <= 0 || whole - shown > SOUND_TAIL_SECONDS) {
    return { durationSeconds: Math.max(0, whole), frameCount: null }
  }
  const isCounted = index.hasConstantRate && !film.isInterlaced && isSameRate(index, { film, shown })
  return { durationSeconds: shown, frameCount: isCounted ? index.frameCount : null }
}

/** Whether the frames of the source are those of the output, one by one. */
function isSameRate({ frameCount }: StreamIndex, { film, shown }: { film: FilmSource; shown: number }): boolean {
  const expected = shown * framesPerSecond(outputFrameRate(film.frameRate))
  return frameCount !== null && Math.abs(frameCount - expected) <= 1
}
