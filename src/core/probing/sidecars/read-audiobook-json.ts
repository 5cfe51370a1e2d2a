import { cleanLine, cleanLines, parseNumberInRange, parseYear } from '../untrusted-values.ts'
import { parseCalendarDate } from './parse-calendar-date.ts'
import { emptyMetadata, type LocalChapter, type LocalSeries, type SidecarOutcome } from './local-metadata.ts'
import { htmlToPlainText } from './html-to-plain-text.ts'
import { parseAsin, parseIsbn, omitUndefined } from './provider-ids.ts'

const MAX_CHAPTERS = 1_000
const MAX_DURATION_SECONDS = 366 * 24 * 3600

/** Reads Audiobookshelf's `metadata.json`, in the current flat form or with the old nested `metadata` object. Never throws. */
export function readAudiobookJson(text: string): SidecarOutcome {
  const root = parse(text)
  if (root === undefined) return { kind: 'broken', reason: 'no JSON object' }
  const fields = recordOf(root('metadata')) ?? root
  const book = {
    ...emptyMetadata('audiobook'),
    title: cleanLine(fields('title')),
    subtitle: cleanLine(fields('subtitle')),
    authors: cleanLines(fields('authors')),
    narrators: cleanLines(fields('narrators')),
    genres: cleanLines(fields('genres'), 200),
    series: cleanLines(fields('series')).map((line) => seriesOf(line)),
    publisher: cleanLine(fields('publisher')),
    language: cleanLine(fields('language'), 100),
    overview: htmlToPlainText(fields('description')),
    year: parseYear(fields('publishedYear')) ?? parseYear(fields('publishedDate')),
    date: parseCalendarDate(fields('publishedDate')),
    chapters: chaptersOf(root('chapters')),
    providerIds: omitUndefined({ asin: parseAsin(fields('asin')), isbn: parseIsbn(fields('isbn')) }),
  }
  return { kind: 'read', several: [book] }
}

type Fields = (name: string) => unknown

function parse(text: string): Fields | undefined {
  try {
    return recordOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns access to own properties by name, so that `__proto__` in a file has no effect. */
function recordOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const record = value as Readonly<Record<string, unknown>>
  return (name) => (Object.hasOwn(record, name) ? record[name] : undefined)
}

/** Splits `The Saga #2.5` into name and part. */
function seriesOf(line: string): LocalSeries {
  const match = /^(.{0,1000}\S)\s+#(\S{1,20})$/.exec(line)
  return { name: match?.[1] ?? line, part: match?.[2] ?? null }
}

function chaptersOf(value: unknown): LocalChapter[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, MAX_CHAPTERS).flatMap((entry: unknown) => {
    const fields = recordOf(entry)
    const startSeconds = parseNumberInRange(fields?.('start'), 0, MAX_DURATION_SECONDS)
    if (fields === undefined || startSeconds === null) return []
    const endSeconds = parseNumberInRange(fields('end'), startSeconds, MAX_DURATION_SECONDS)
    return [{ startSeconds, endSeconds, title: cleanLine(fields('title'), 200) }]
  })
}
