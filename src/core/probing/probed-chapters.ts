import type { FfprobeOutput } from './ffprobe-output.ts'
import type { ProbedChapter } from './probed-file.ts'
import { cleanText, parseDecimal, findTag } from './ffprobe-values.ts'

const MAX_CHAPTERS = 1000
const TITLE_CHARACTERS = 200

/** Returns the chapters of a file in order, at most 1,000. Chapters that end before they start are dropped. */
export function toProbedChapters({ chapters }: FfprobeOutput): ProbedChapter[] {
  return chapters
    .slice(0, MAX_CHAPTERS)
    .map(({ start_time: start, end_time: end, tags }) => ({
      startSeconds: parseDecimal(start) ?? -1,
      endSeconds: parseDecimal(end) ?? -1,
      title: cleanText(findTag(tags, 'title'), TITLE_CHARACTERS),
    }))
    .filter(({ startSeconds, endSeconds }) => startSeconds >= 0 && endSeconds >= startSeconds)
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
}
