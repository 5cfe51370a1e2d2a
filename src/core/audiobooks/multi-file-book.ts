import type { Chapter } from '../catalogue/index.ts'
import { orderAudiobookFiles } from '../naming/index.ts'
import { chaptersFromMarks, type ChapterMark } from './chapter-marks.ts'

/** A file of a book. `tags` are the data of its tags, under the keys of the API. */
export type BookPart = {
  id: string
  path: string
  name: string
  /** Null for a file that could not be read. */
  durationSeconds: number | null
  /** Times count from the start of the file. */
  chapters: readonly Chapter[]
  tags: Record<string, unknown>
  discTag: number | null
  trackTag: number | null
  isMissing: boolean
  canonicalKey: string | null
}

export type AssembledBook = {
  /** Ids of the parts in playing order. */
  order: string[]
  durationSeconds: number
  /** Times count from the start of the book. */
  chapters: Chapter[]
  /** The album tag, which is the title of the book, if all files have the same one; otherwise null. */
  title: string | null
  year: number | null
  /** The merged tags of all parts: for each key the value of the first part that has it. */
  tags: Record<string, unknown>
}

/** Keys that describe a file and not its book. */
const FILE_KEYS = new Set(['track_number', 'disc_number'])

/**
 * Combines the files of a book: their durations are summed, and their chapters are concatenated; a file without chapters is one chapter.
 * A missing file that exists again at another path does not count twice. Pure.
 * @param marks chapters from a sidecar file; they have priority over those of the files
 */
export function assembleMultiFileBook(parts: readonly BookPart[], marks: readonly ChapterMark[]): AssembledBook {
  const ordered = orderAudiobookFiles(withoutDuplicates(parts))
  const tags: Record<string, unknown> = {}
  const chapters: Chapter[] = []
  let durationSeconds = 0
  for (const part of ordered) {
    for (const [key, value] of Object.entries(part.tags)) if (!FILE_KEYS.has(key)) tags[key] ??= value
    chapters.push(...chaptersOf(part, durationSeconds))
    durationSeconds += part.durationSeconds ?? 0
  }
  const albums = new Set(ordered.map((part) => part.tags['album']))
  const [album] = albums
  const year = tags['year']
  return {
    order: ordered.map(({ id }) => id),
    durationSeconds,
    chapters: marks.length > 0 ? chaptersFromMarks(marks, durationSeconds) : chapters,
    title: albums.size === 1 && typeof album === 'string' ? album : null,
    year: typeof year === 'number' ? year : null,
    tags,
  }
}

/** Between a move and the next rescan the rows of the old and of the new path both exist. */
function withoutDuplicates(parts: readonly BookPart[]): readonly BookPart[] {
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
