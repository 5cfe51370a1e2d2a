import { cleanLines, cleanLine, cleanParagraphs, parseYear } from '../untrusted-values.ts'
import { emptyMetadata, type LocalMetadata } from './local-metadata.ts'
import { parseAsin, parseIsbn, omitUndefined } from './provider-ids.ts'

const MAX_LINES = 2_000

/** Field labels of audiobook NFO files, before the colon. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['title', 'title'],
  ['subtitle', 'subtitle'],
  ['author', 'author'],
  ['authors', 'author'],
  ['written by', 'author'],
  ['narrator', 'narrator'],
  ['narrators', 'narrator'],
  ['read by', 'narrator'],
  ['narrated by', 'narrator'],
  ['series name', 'series'],
  ['series', 'series'],
  ['position in series', 'part'],
  ['series position', 'part'],
  ['genre', 'genre'],
  ['genres', 'genre'],
  ['publisher', 'publisher'],
  ['language', 'language'],
  ['asin', 'asin'],
  ['isbn', 'isbn'],
  ['copyright', 'year'],
  ['release date', 'year'],
  ['publication year', 'year'],
])

/** Heading of the description, which follows a ruler of equal signs. */
const DESCRIPTION = /^\s*(?:book )?(?:description|summary|publisher's summary)\s*:?\s*$/i

/**
 * Reads the plain-text NFO of an audiobook: lines such as `Title: …` and `Read by: …`, and a description. Undefined if there is no line
 * `Title: …`.
 */
export function readBookNfo(text: string): LocalMetadata | undefined {
  const lines = text.split(/\r\n?|\n/, MAX_LINES)
  const start = lines.findIndex((line) => DESCRIPTION.test(line))
  const fields = fieldsOf(start < 0 ? lines : lines.slice(0, start))
  const title = cleanLine(fields.get('title'))
  if (title === null || fields.size < 2) return undefined
  return {
    ...emptyMetadata('audiobook'),
    title,
    subtitle: cleanLine(fields.get('subtitle')),
    authors: splitNames(fields.get('author')),
    narrators: splitNames(fields.get('narrator')),
    genres: splitNames(fields.get('genre')),
    publisher: cleanLine(fields.get('publisher')),
    language: cleanLine(fields.get('language'), 100),
    year: parseYear(/\d{4}/.exec(fields.get('year') ?? '')?.[0]),
    series: cleanLines(fields.get('series')).map((name) => ({ name, part: cleanLine(fields.get('part'), 20) })),
    overview: start < 0 ? null : descriptionOf(lines.slice(start + 1)),
    providerIds: omitUndefined({ asin: parseAsin(fields.get('asin')), isbn: parseIsbn(fields.get('isbn')) }),
  }
}

function fieldsOf(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of lines) {
    const match = /^\s{0,40}([a-z ]{3,20}?)\s{0,20}[:.]\s{0,40}(\S.{0,2000})$/i.exec(line)
    const field = FIELDS.get(match?.[1]?.toLowerCase() ?? '')
    if (field !== undefined && !fields.has(field)) fields.set(field, match?.[2] ?? '')
  }
  return fields
}

/** Removes the ruler below the heading. */
function descriptionOf(lines: readonly string[]): string | null {
  return cleanParagraphs(lines.join('\n').replace(/^[\s=-]{1,400}/, ''))
}

/** Splits a line of several people or genres. */
export function splitNames(line: string | undefined): string[] {
  return cleanLines((line ?? '').slice(0, 4000).split(/[,;&]/))
}
