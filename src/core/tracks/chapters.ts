import type { Chapter } from '../catalogue/index.ts'

/** A chapter with something to show for it. */
export type NamedChapter = Readonly<{ startSeconds: number; endSeconds: number; title: string }>

/** The chapters of an item in the order of time; one without title is called by its number. Pure. */
export function listChapters({ chapters }: { chapters: readonly Chapter[] }): NamedChapter[] {
  return chapters.map(({ startSeconds, endSeconds, title }, index) => ({
    startSeconds,
    endSeconds,
    title: title ?? `Chapter ${index + 1}`,
  }))
}
