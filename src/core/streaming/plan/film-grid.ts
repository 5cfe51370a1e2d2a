import type { StreamIndex } from '../../probing/index.ts'
import { totalJumpMicroseconds } from '../timeline/clock-jumps.ts'
import { framesPerSecond, makeFrameGrid, outputFrameRate, type SegmentTimeline } from '../timeline/segment-timeline.ts'
import type { FilmSource } from '../source/film-source.ts'

const MICROSECONDS_PER_SECOND = 1_000_000

/** Audio that continues up to this long after the video adds no frame, because codecs pad their last packet. */
const SOUND_TAIL_SECONDS = 0.1

/** Returns the grid of a film, which determines the duration of all its renditions. Pure. */
export function makeFilmGrid(film: FilmSource, index: StreamIndex | undefined): SegmentTimeline {
  return makeFrameGrid({ frameRate: outputFrameRate(film.frameRate), ...lengthOf(film, index) })
}

/** Corrects the duration and the bit rate from the scan, which include the jumps of the clock. */
export function removeClockJumps(film: FilmSource, index: StreamIndex): FilmSource {
  if (index.jumps.length === 0) return film
  const shown = index.endMicroseconds - index.firstMicroseconds
  const share = (shown + totalJumpMicroseconds(index.jumps)) / shown
  return {
    ...film,
    durationSeconds: shown / MICROSECONDS_PER_SECOND + film.videoStartSeconds - film.containerStartSeconds,
    bitrate: film.bitrate === null || share <= 0 ? null : Math.round(film.bitrate * share),
  }
}

/** Returns the duration of the video. If audio continues after the video, the last frame stays visible until it ends. */
function lengthOf(
  film: FilmSource,
  index: StreamIndex | undefined,
): { durationSeconds: number; frameCount: number | null } {
  const whole = film.durationSeconds - (film.videoStartSeconds - film.containerStartSeconds)
  const shown = index === undefined ? 0 : (index.endMicroseconds - index.firstMicroseconds) / MICROSECONDS_PER_SECOND
  if (index === undefined || shown <= 0 || whole - shown > SOUND_TAIL_SECONDS) {
    return { durationSeconds: Math.max(0, whole), frameCount: null }
  }
  const isCounted = index.hasConstantRate && !film.isInterlaced && isSameRate(index, { film, shown })
  return { durationSeconds: shown, frameCount: isCounted ? index.frameCount : null }
}

/** Returns whether each output frame corresponds to exactly one source frame. */
function isSameRate({ frameCount }: StreamIndex, { film, shown }: { film: FilmSource; shown: number }): boolean {
  const expected = shown * framesPerSecond(outputFrameRate(film.frameRate))
  return frameCount !== null && Math.abs(frameCount - expected) <= 1
}
