import type { FfprobeOutput } from '../ffprobe-output.ts'

/** A chapter as the container stores it, in seconds; the end is often missing. */
export type RawChapter = { start: number; end: number | undefined; title: string | undefined }

/** Slightly above the number of chapters that are stored. */
export const MAX_CHAPTERS = 1001
const TITLE_CHARACTERS = 1000

/** Converts chapters as ffprobe does: a missing end becomes the start of the next chapter, or the end of the file. */
export function completeChapterEnds(raw: readonly RawChapter[], durationSeconds: number): FfprobeOutput['chapters'] {
  const kept = raw.slice(0, MAX_CHAPTERS)
  const starts = kept.map(({ start }) => start).toSorted((a, b) => a - b)
  return kept.map(({ start, end, title }) => ({
    start_time: formatChapterSeconds(start),
    end_time: formatChapterSeconds(end ?? Math.max(start, Math.min(nextAfter(starts, start), durationSeconds))),
    tags: title === undefined ? {} : { title: title.slice(0, TITLE_CHARACTERS) },
  }))
}

function nextAfter(starts: readonly number[], start: number): number {
  return starts.find((other) => other > start) ?? Infinity
}

/** Formats six decimals, as ffprobe does. */
export function formatChapterSeconds(value: number): string {
  return value.toFixed(6)
}
