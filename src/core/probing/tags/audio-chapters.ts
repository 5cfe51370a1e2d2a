import type { IFormat } from 'music-metadata'
import type { ProbedChapter } from '../probed-file.ts'
import { cleanLine } from '../untrusted-values.ts'
import type { NativeTags } from './native-tags.ts'

const MAX_CHAPTERS = 1_000
const TITLE_CHARACTERS = 200

type TaggedChapter = { startSeconds: number; endSeconds: number | null; title: string | null }

/**
 * Returns the chapters of an audio file, at most 1,000, in order of time: ID3 CHAP, QuickTime and Nero chapters of MP4, `CHAPTER001` of
 * Vorbis comments. A chapter without an end extends to the next one or to the end of the file.
 */
export function readAudioChapters(
  { chapters }: Pick<IFormat, 'chapters'>,
  native: NativeTags,
  durationSeconds: number,
): ProbedChapter[] {
  const own = chapters?.slice(0, MAX_CHAPTERS).map(({ start, end, timeScale, title }) => ({
    startSeconds: secondsOf(start, timeScale),
    // In ID3 a value with all bits set means unknown.
    endSeconds: end === undefined || end >= 4_294_967 ? null : secondsOf(end, timeScale),
    title: cleanLine(title, TITLE_CHARACTERS),
  }))
  return closed(own !== undefined && own.length > 0 ? own : commentChapters(native), durationSeconds)
}

function secondsOf(time: number, timeScale: number | undefined): number {
  return time / (timeScale === undefined || timeScale <= 0 ? 1 : timeScale)
}

const COMMENT_CHAPTER = /^chapter\d{1,4}$/

/** https://wiki.xiph.org/Chapter_Extension: `CHAPTER001=00:05:00.000`, `CHAPTER001NAME=Title`. */
function commentChapters(native: NativeTags): TaggedChapter[] {
  const marks: TaggedChapter[] = []
  for (const [name, [time]] of native) {
    if (marks.length >= MAX_CHAPTERS) break
    if (!COMMENT_CHAPTER.test(name)) continue
    const match = /^(\d{1,3}):(\d\d):(\d\d(?:\.\d{1,9})?)$/.exec(typeof time === 'string' ? time.trim() : '')
    if (match === null) continue
    const startSeconds = Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3])
    marks.push({ startSeconds, endSeconds: null, title: cleanLine(native.get(`${name}name`)?.[0], TITLE_CHARACTERS) })
  }
  return marks
}

function closed(marks: readonly TaggedChapter[], durationSeconds: number): ProbedChapter[] {
  const inOrder = marks
    .filter(({ startSeconds }) => startSeconds >= 0 && startSeconds < durationSeconds)
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
  return inOrder.map(({ startSeconds, endSeconds, title }, index) => {
    const next = inOrder[index + 1]?.startSeconds ?? durationSeconds
    const declared = endSeconds !== null && endSeconds > startSeconds ? Math.min(endSeconds, durationSeconds) : next
    return { startSeconds, endSeconds: declared, title }
  })
}
