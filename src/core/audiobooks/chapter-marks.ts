import type { Chapter } from '../catalogue/index.ts'

/** The key under which the chapters that a file beside a book gives are kept with what it says: `[{start_seconds, end_seconds, title}]`. */
export const CHAPTER_MARKS = 'chapter_marks'

/** Where a chapter begins; one without end lasts to the next one. */
export type ChapterMark = { startSeconds: number; endSeconds: number | null; title: string | null }

/** Chapters of marks, in the order of time; the last one lasts to the end of the book at most. Marks behind the end are left out. */
export function closeChapters(marks: readonly ChapterMark[], durationSeconds: number): Chapter[] {
  const inside = marks
    .filter(({ startSeconds }) => startSeconds < durationSeconds)
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
  return inside.map(({ startSeconds, endSeconds, title }, index) => {
    const next = inside[index + 1]?.startSeconds ?? durationSeconds
    const isTold = endSeconds !== null && endSeconds > startSeconds
    return { startSeconds, endSeconds: isTold ? Math.min(endSeconds, durationSeconds) : next, title }
  })
}
