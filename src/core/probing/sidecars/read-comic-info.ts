import { parseCount, cleanLine, cleanLines, cleanParagraphs, parseYear } from '../untrusted-values.ts'
import { parseCalendarDate } from './parse-calendar-date.ts'
import { emptyMetadata, type LocalMetadata } from './local-metadata.ts'
import { parseIsbn, omitUndefined } from './provider-ids.ts'
import { splitNames } from './read-book-nfo.ts'
import { findChild, findChildren, parseXml, type XmlElement } from '../../platform/xml/index.ts'

export type ComicInfoOutcome =
  | {
      kind: 'read'
      metadata: LocalMetadata
      /** Index of the cover page, from 0; null if the file does not declare it. */
      coverPage: number | null
    }
  | { kind: 'broken'; reason: string }

const MAX_PAGES = 100_000

/** Reads ComicInfo.xml, version 2.1 (https://anansi-project.github.io/docs/comicinfo/documentation). Never throws. */
export function readComicInfo(text: string): ComicInfoOutcome {
  const xml = parseXml(text)
  if (xml.kind === 'refused') return { kind: 'broken', reason: xml.reason }
  const root = xml.roots.find(({ name }) => name === 'comicinfo')
  if (root === undefined) return { kind: 'broken', reason: 'no ComicInfo element' }
  return { kind: 'read', metadata: comicMetadataOf(root), coverPage: coverOf(root) }
}

function comicMetadataOf(root: XmlElement): LocalMetadata {
  const text = (name: string): string | undefined => findChild(root, name)?.text
  const series = cleanLine(text('series'))
  const part = cleanLine(text('number'), 20)
  return {
    ...emptyMetadata('comic'),
    title: cleanLine(text('title')) ?? (series === null ? null : part === null ? series : `${series} #${part}`),
    sortTitle: cleanLine(text('titlesort')),
    overview: cleanParagraphs(text('summary')),
    year: parseYear(text('year')),
    date: dateOf(text('year'), text('month'), text('day')),
    genres: splitNames(text('genre')),
    tags: splitNames(text('tags')),
    publisher: cleanLine(text('publisher')),
    language: cleanLine(text('languageiso'), 100),
    contentRating: cleanLine(text('agerating'), 100),
    authors: splitNames(text('writer')),
    artists: cleanLines(['penciller', 'inker', 'coverartist'].flatMap((name) => splitNames(text(name)))),
    series: series === null ? [] : [{ name: series, part }],
    providerIds: omitUndefined({ isbn: parseIsbn(text('gtin')) }),
  }
}

function dateOf(...parts: readonly (string | undefined)[]): string | null {
  const [year, month, day] = parts.map((part) => parseCount(part, 9999))
  if (year === null || year === undefined || month === null || month === undefined) return null
  const two = (number: number): string => String(number).padStart(2, '0')
  return parseCalendarDate(`${String(year).padStart(4, '0')}-${two(month)}${day ? `-${two(day)}` : ''}`)
}

function coverOf(root: XmlElement): number | null {
  const pages = findChildren(findChild(root, 'pages'), 'page')
  return parseCount(
    pages.find(({ attributes }) => attributes.get('type') === 'FrontCover')?.attributes.get('image'),
    MAX_PAGES,
  )
}
