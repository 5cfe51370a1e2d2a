import type { Chapter } from '../catalogue/index.ts'

/** A chapter with a title that can be shown. */
export type NamedChapter = Readonly<{ startSeconds: number; endSeconds: number; title: string }>

/** The chapters and the duration of a file. */
type ChapterFile = { chapters: readonly Chapter[]; fileSeconds: number | null }

/**
 * The chapters of an item ordered by time, with the chapters of its further files after its own; a chapter without title is named by its
 * number. Pure.
 */
export function listChapters(item: ChapterFile, parts: readonly ChapterFile[]): NamedChapter[] {
  const chapters: Chapter[] = []
  let start = 0
  for (const file of [item, ...parts]) {
    for (const { startSeconds, endSeconds, title } of file.chapters) {
      chapters.push({ startSeconds: start + startSeconds, endSeconds: start + endSeconds, title })
    }
    start += file.fileSeconds ?? 0
  }
  return chapters.map(({ startSeconds, endSeconds, title }, index) => ({
    startSeconds,
    endSeconds,
    title: title ?? `Chapter ${index + 1}`,
  }))
}
