import type { Chapter } from '../catalogue/index.ts'
import { orderAudiobookFiles } from '../naming/index.ts'
import { closeChapters, type ChapterMark } from './chapter-marks.ts'

/** A file of a book, with what its tags say (`said`: under the names of the wire). */
export type BookPart = {
  id: string
  path: string
  name: string
  /** Null for a file that could not be read. */
  durationSeconds: number | null
  /** Within the file. */
  chapters: readonly Chapter[]
  said: Record<string, unknown>
  discTag: number | null
  trackTag: number | null
  isMissing: boolean
  canonicalKey: string | null
}

export type WholeBook = {
  /** Ids of the parts in the order in which they are heard. */
  order: string[]
  durationSeconds: number
  /** Over the whole book. */
  chapters: Chapter[]
  /** What all tags call the book. */
  title: string | null
  year: number | null
  /** What the tags of its parts say about the book, the first part that says something counting. */
  said: Record<string, unknown>
}

/** What is about a file and not about its book. */
const OF_THE_FILE = new Set(['track_number', 'disc_number'])

/**
 * What the files of a book are together: their durations added up, and their chapters one after the other; a file without chapters is
 * one. A missing file that is there again in another place does not count twice. Pure.
 * @param marks chapters that a file beside the book gives; they come before those of the files
 */
export function assembleMultiFileBook(parts: readonly BookPart[], marks: readonly ChapterMark[]): WholeBook {
  const ordered = orderAudiobookFiles(withoutTwins(parts))
  const said: Record<string, unknown> = {}
  const chapters: Chapter[] = []
  let durationSeconds = 0
  for (const part of ordered) {
    for (const [key, value] of Object.entries(part.said)) if (!OF_THE_FILE.has(key)) said[key] ??= value
    chapters.push(...chaptersOf(part, durationSeconds))
    durationSeconds += part.durationSeconds ?? 0
  }
  const albums = new Set(ordered.map((part) => part.said['album']))
  const [album] = albums
  const year = said['year']
  return {
    order: ordered.map(({ id }) => id),
    durationSeconds,
    chapters: marks.length > 0 ? closeChapters(marks, durationSeconds) : chapters,
    title: albums.size === 1 && typeof album === 'string' ? album : null,
    year: typeof year === 'number' ? year : null,
    said,
  }
}

/** After a move, until a rescan: the row of the old place beside the one of the new. */
function withoutTwins(parts: readonly BookPart[]): readonly BookPart[] {
  const present = new Set(parts.flatMap(({ isMissing, canonicalKey }) => (isMissing ? [] : [canonicalKey])))
  return parts.filter(({ isMissing, canonicalKey }) => !isMissing || !present.has(canonicalKey))
}

function chaptersOf({ name, durationSeconds, chapters }: BookPart, offset: number): Chapter[] {
  if (durationSeconds === null) return []
  const own = chapters.length > 0 ? chapters : [{ startSeconds: 0, endSeconds: durationSeconds, title: name }]
  return own.map(({ startSeconds, endSeconds, title }) => ({
    startSeconds: offset + startSeconds,
    endSeconds: offset + endSeconds,
    title,
  }))
}
