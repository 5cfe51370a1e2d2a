import type { FfprobeOutput } from '../ffprobe-output.ts'
import { childrenOf, fieldsOf, textOf, unsignedOf } from './ebml.ts'
import { closeChapters, type RawChapter } from './raw-chapters.ts'
import { ID } from './matroska-ids.ts'

const NANOSECONDS = 1_000_000_000

/**
 * The chapters of all editions (RFC 9559 5.1.7) as ffmpeg takes them: without nesting, only those that start later than every
 * one before.
 */
export function readMatroskaChapters(parts: readonly Uint8Array[], durationSeconds: number): FfprobeOutput['chapters'] {
  const chapters: RawChapter[] = []
  let latest = 0
  for (const part of parts) {
    for (const edition of childrenOf(part)) {
      if (edition.id !== ID.EditionEntry) continue
      for (const atom of childrenOf(edition.data)) {
        const chapter = atom.id === ID.ChapterAtom ? chapterOf(atom.data) : undefined
        if (chapter === undefined || (latest > 0 && chapter.start <= latest)) continue
        latest = chapter.start
        chapters.push(chapter)
      }
    }
  }
  return closeChapters(chapters, durationSeconds)
}

function chapterOf(atom: Uint8Array): RawChapter | undefined {
  const fields = fieldsOf(atom)
  const start = unsignedOf(fields.get(ID.ChapterTimeStart), undefined)
  if (start === undefined || unsignedOf(fields.get(ID.ChapterUID), 0) === 0) return undefined
  const end = unsignedOf(fields.get(ID.ChapterTimeEnd), undefined)
  if (end !== undefined && end < start) return undefined
  const display = fields.get(ID.ChapterDisplay)
  const title = display === undefined ? undefined : textOf(fieldsOf(display).get(ID.ChapString))
  return { start: start / NANOSECONDS, end: end === undefined ? undefined : end / NANOSECONDS, title }
}
