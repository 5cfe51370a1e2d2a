import type { Chapter } from '../catalogue/index.ts'

/** A book to listen to, in one file or several (document 1, Audiobook). */
export type Audiobook = {
  /** UUID. */
  id: string
  libraryId: string
  name: string
  year: number | null
  /** Null while no file of it could be read. */
  durationSeconds: number | null
  /** In the order of time, over the whole book; empty for a book without marks. */
  chapters: Chapter[]
  /** What names, tags and files beside it say: `author`, `narrator`, `series`, `overview` … */
  metadata: Record<string, unknown>
  /** Of a book in one file. */
  path: string | null
}

/** A chapter with a name that can be shown. */
export type NamedChapter = Chapter & { title: string }

/** What a listener sees as chapters: those of the book, numbered where they have no title; a book without marks is one. */
export function namedChapters({ name, chapters, durationSeconds }: Audiobook): NamedChapter[] {
  if (chapters.length === 0) return [{ startSeconds: 0, endSeconds: durationSeconds ?? 0, title: name }]
  return chapters.map(({ startSeconds, endSeconds, title }, index) => {
    const shown = title?.trim() ?? ''
    return { startSeconds, endSeconds, title: shown === '' ? `Chapter ${index + 1}` : shown }
  })
}
