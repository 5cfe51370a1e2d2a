import type { Chapter } from '../catalogue/index.ts'

/** A book to listen to, in one file or several. */
export type Audiobook = {
  /** UUID. */
  id: string
  libraryId: string
  name: string
  year: number | null
  /** Null if no file of the book has been read successfully. */
  durationSeconds: number | null
  /** Ordered by time; times count from the start of the book, over all its files. Empty for a book without chapter marks. */
  chapters: Chapter[]
  /** Data from names, tags and sidecar files: `author`, `narrator`, `series`, `overview` … */
  metadata: Record<string, unknown>
  /** The path of the file; null for a book of several files. */
  path: string | null
}

/** A chapter with a title that can be shown. */
export type AudiobookChapter = Chapter & { title: string }

/**
 * The chapters for a listener: the chapters of the book, numbered if they have no title. A book without chapters becomes a single chapter.
 */
export function nameChapters({ name, chapters, durationSeconds }: Audiobook): AudiobookChapter[] {
  if (chapters.length === 0) return [{ startSeconds: 0, endSeconds: durationSeconds ?? 0, title: name }]
  return chapters.map(({ startSeconds, endSeconds, title }, index) => {
    const shown = title?.trim() ?? ''
    return { startSeconds, endSeconds, title: shown === '' ? `Chapter ${index + 1}` : shown }
  })
}
