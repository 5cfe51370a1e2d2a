import { cleanLine, cleanLines, parseYear } from '../untrusted-values.ts'
import { emptyMetadata, type LocalChapter, type SidecarOutcome } from './local-metadata.ts'

const MAX_LINES = 20_000
const MAX_CHAPTERS = 1_000
const TITLE_CHARACTERS = 200
const FRAMES_PER_SECOND = 75

/**
 * Reads a cue sheet. The tracks of a sheet for one file become chapters. A sheet for several files contributes titles and performer only,
 * because its times are relative to each file. Never throws.
 */
export function readCue(text: string): SidecarOutcome {
  const sheet = { fields: new Map<string, string>(), files: 0, chapters: [] as LocalChapter[] }
  for (const line of text.split(/\r\n?|\n/, MAX_LINES)) readLine(sheet, line.slice(0, 4000))
  if (sheet.files === 0) return { kind: 'broken', reason: 'no FILE line' }
  const performer = sheet.fields.get('PERFORMER')
  const item = {
    ...emptyMetadata('album'),
    title: cleanLine(sheet.fields.get('TITLE')),
    artists: cleanLines(performer),
    genres: cleanLines(sheet.fields.get('GENRE'), 200),
    year: parseYear(sheet.fields.get('DATE')),
    chapters: sheet.files === 1 ? withEnds(sheet.chapters) : [],
  }
  return { kind: 'read', several: [item] }
}

type Sheet = { fields: Map<string, string>; files: number; chapters: LocalChapter[] }

function readLine(sheet: Sheet, line: string): void {
  const match = /^\s{0,40}(?:REM\s{1,10})?([A-Z]{4,12})\s{1,10}(\S.*)$/i.exec(line)
  if (match === null) return
  const [, word = '', value = ''] = match
  const track = sheet.chapters.at(-1)
  if (track === undefined) readHeading(sheet, word.toUpperCase(), unquoted(value.trim()))
  else if (/^INDEX$/i.test(word)) track.startSeconds = startOf(value.trim()) ?? track.startSeconds
  else if (/^TITLE$/i.test(word)) track.title = cleanLine(unquoted(value.trim()), TITLE_CHARACTERS)
  if (/^FILE$/i.test(word)) sheet.files += 1
  if (/^TRACK$/i.test(word) && sheet.chapters.length < MAX_CHAPTERS) {
    sheet.chapters.push({ startSeconds: -1, endSeconds: null, title: null })
  }
}

/** Fields before the first track apply to the whole sheet. */
function readHeading(sheet: Sheet, word: string, value: string): void {
  if (!sheet.fields.has(word)) sheet.fields.set(word, value)
}

/** Parses `01 74:59:74`: minutes, seconds and frames. Index 00 is the pregap. */
function startOf(value: string): number | undefined {
  const match = /^01\s{1,10}(\d{1,5}):(\d\d):(\d\d)$/.exec(value)
  return match === null ? undefined : Number(match[1]) * 60 + Number(match[2]) + Number(match[3]) / FRAMES_PER_SECOND
}

function unquoted(value: string): string {
  return value.replace(/^"([^"]*)"?.*$/, '$1')
}

function withEnds(chapters: readonly LocalChapter[]): LocalChapter[] {
  const inOrder = chapters
    .filter(({ startSeconds }) => startSeconds >= 0)
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
  return inOrder.map(({ startSeconds, title }, index) => {
    return { startSeconds, endSeconds: inOrder[index + 1]?.startSeconds ?? null, title }
  })
}
