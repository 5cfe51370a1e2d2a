import type { Chapter } from '../catalogue/index.ts'

/** A chapter with something to show for it. */
export type NamedChapter = Readonly<{ startSeconds: number; endSeconds: number; title: string }>

/** A file with chapters, and how long it lasts. */
type ChapterFile = { chapters: readonly Chapter[]; fileSeconds: number | null }

/**
 * The chapters of an item in the order of time, those of its further files behind its own; one without title is called by its number.
 * Pure.
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
