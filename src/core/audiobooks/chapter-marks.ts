import type { Chapter } from '../catalogue/index.ts'

/** The metadata key of the chapters from a sidecar file: `[{start_seconds, end_seconds, title}]`. */
export const CHAPTER_MARKS = 'chapter_marks'

/** The start of a chapter; without an end it lasts until the next one starts. */
export type ChapterMark = { startSeconds: number; endSeconds: number | null; title: string | null }

/** Converts marks to chapters, ordered by start. No chapter ends after the book; marks after the end are dropped. */
export function chaptersFromMarks(marks: readonly ChapterMark[], durationSeconds: number): Chapter[] {
  const inside = marks
    .filter(({ startSeconds }) => startSeconds < durationSeconds)
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
  return inside.map(({ startSeconds, endSeconds, title }, index) => {
    const next = inside[index + 1]?.startSeconds ?? durationSeconds
    const isEndKnown = endSeconds !== null && endSeconds > startSeconds
    return { startSeconds, endSeconds: isEndKnown ? Math.min(endSeconds, durationSeconds) : next, title }
  })
}
