import type { FfprobeOutput } from '../ffprobe-output.ts'
import { iterateChildren, parseFields, readText, readUnsigned } from './ebml.ts'
import { completeChapterEnds, MAX_CHAPTERS, type RawChapter } from './raw-chapters.ts'
import { MATROSKA_ID } from './matroska-ids.ts'

const NANOSECONDS_PER_SECOND = 1_000_000_000

/**
 * Returns the chapters of all editions (RFC 9559 5.1.7) by ffmpeg's rules: without nesting, and only chapters that start later than all
 * previous chapters.
 */
export function readMatroskaChapters(parts: readonly Uint8Array[], durationSeconds: number): FfprobeOutput['chapters'] {
  const chapters: RawChapter[] = []
  for (const atom of atomsOf(parts)) {
    const chapter = chapterOf(atom)
    const latest = chapters.at(-1)?.start ?? 0
    if (chapter === undefined || (latest > 0 && chapter.start <= latest)) continue
    chapters.push(chapter)
    if (chapters.length >= MAX_CHAPTERS) break
  }
  return completeChapterEnds(chapters, durationSeconds)
}

function* atomsOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts) {
    for (const edition of iterateChildren(part)) {
      if (edition.id !== MATROSKA_ID.EditionEntry) continue
      for (const { id, data } of iterateChildren(edition.data)) if (id === MATROSKA_ID.ChapterAtom) yield data
    }
  }
}

function chapterOf(atom: Uint8Array): RawChapter | undefined {
  const fields = parseFields(atom)
  const start = readUnsigned(fields.get(MATROSKA_ID.ChapterTimeStart), undefined)
  if (start === undefined || readUnsigned(fields.get(MATROSKA_ID.ChapterUID), 0) === 0) return undefined
  const end = readUnsigned(fields.get(MATROSKA_ID.ChapterTimeEnd), undefined)
  if (end !== undefined && end < start) return undefined
  const display = fields.get(MATROSKA_ID.ChapterDisplay)
  const title = display === undefined ? undefined : readText(parseFields(display).get(MATROSKA_ID.ChapString))
  return {
    start: start / NANOSECONDS_PER_SECOND,
    end: end === undefined ? undefined : end / NANOSECONDS_PER_SECOND,
    title,
  }
}
