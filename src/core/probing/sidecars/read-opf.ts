import { MAX_LIST_ENTRIES, cleanLine, cleanLines, parseYear } from '../untrusted-values.ts'
import { parseCalendarDate } from './parse-calendar-date.ts'
import { emptyMetadata, type LocalMetadata, type LocalSeries, type SidecarProviderIds } from './local-metadata.ts'
import { htmlToPlainText } from './html-to-plain-text.ts'
import { parseAsin, parseIsbn, omitUndefined } from './provider-ids.ts'
import { findChild, findChildren, parseXml, type XmlElement } from '../../platform/xml/index.ts'

export type OpfOutcome =
  | {
      kind: 'read'
      metadata: LocalMetadata
      /** Address of the cover in the manifest (relative to the OPF, percent-encoded); null if there is none. */
      coverHref: string | null
    }
  | { kind: 'broken'; reason: string }

/**
 * Reads a package document: from an EPUB, or Calibre's `metadata.opf`. Supports Dublin Core, Calibre's series and the collections of EPUB
 * 3 (https://www.w3.org/TR/epub-33/#sec-package-doc, OPF 2.0.1). Never throws.
 */
export function readOpf(text: string): OpfOutcome {
  const xml = parseXml(text)
  if (xml.kind === 'refused') return { kind: 'broken', reason: xml.reason }
  const root = xml.roots.find(({ name }) => name === 'package')
  const metadata = findChild(root, 'metadata')
  if (root === undefined || metadata === undefined) return { kind: 'broken', reason: 'no package with metadata' }
  // OPF 1 nests Dublin Core one level deeper.
  const core = findChild(metadata, 'dc-metadata') ?? metadata
  const metas = [...findChildren(metadata, 'meta'), ...findChildren(findChild(metadata, 'x-metadata'), 'meta')]
  return { kind: 'read', metadata: bookOf(core, metas), coverHref: coverOf(root, metas) }
}

function bookOf(core: XmlElement, metas: readonly XmlElement[]): LocalMetadata {
  const text = (name: string): string | undefined => findChild(core, name)?.text
  const date = findChildren(core, 'date').map((element) => element.text)
  return {
    ...emptyMetadata('book'),
    ...titlesOf(core, metas),
    sortTitle: cleanLine(namedMeta(metas, 'calibre:title_sort')),
    authors: peopleOf(core, metas, 'aut'),
    narrators: peopleOf(core, metas, 'nrt'),
    overview: htmlToPlainText(text('description')),
    publisher: cleanLine(text('publisher')),
    language: cleanLine(text('language'), 100),
    genres: cleanLines(
      findChildren(core, 'subject').map((subject) => subject.text),
      200,
    ),
    // Calibre writes the year 101 for an unknown year.
    year: date.map((text) => parseYear(text)).find((year) => year !== null && year > 101) ?? null,
    date: date.map((text) => parseCalendarDate(text)).find((day) => day !== null && !day.startsWith('0101')) ?? null,
    series: seriesOf(metas),
    providerIds: idsOf(core),
  }
}

function titlesOf(core: XmlElement, metas: readonly XmlElement[]): { title: string | null; subtitle: string | null } {
  const titles = findChildren(core, 'title')
  const kindOf = (title: XmlElement): string | undefined => refinement(metas, title, 'title-type')
  const main = titles.find((title) => kindOf(title) === 'main') ?? titles[0]
  return {
    title: cleanLine(main?.text),
    subtitle: cleanLine(titles.find((title) => kindOf(title) === 'subtitle')?.text),
  }
}

/** Returns people by role. Creators without a role are authors; narrators are often contributors. */
function peopleOf(core: XmlElement, metas: readonly XmlElement[], role: 'aut' | 'nrt'): string[] {
  const people = [...findChildren(core, 'creator'), ...(role === 'nrt' ? findChildren(core, 'contributor') : [])]
  const roleOf = (person: XmlElement): string =>
    (person.attributes.get('role') ?? refinement(metas, person, 'role') ?? 'aut').trim().toLowerCase()
  return cleanLines(people.filter((person) => roleOf(person) === role).map((person) => person.text))
}

/** Returns a property that EPUB 3 attaches to an element by `<meta refines="#id" property="…">`. */
function refinement(metas: readonly XmlElement[], element: XmlElement, property: string): string | undefined {
  const id = element.attributes.get('id')
  if (id === undefined) return undefined
  const meta = metas.find(
    ({ attributes }) => attributes.get('refines') === `#${id}` && attributes.get('property') === property,
  )
  return meta?.text.trim()
}

function namedMeta(metas: readonly XmlElement[], name: string): string | undefined {
  return metas.find(({ attributes }) => attributes.get('name') === name)?.attributes.get('content')
}

/** Returns Calibre's series, else the EPUB 3 collections of type series or without a type. */
function seriesOf(metas: readonly XmlElement[]): LocalSeries[] {
  const calibre = cleanLine(namedMeta(metas, 'calibre:series'))
  if (calibre !== null) return [{ name: calibre, part: partOf(namedMeta(metas, 'calibre:series_index')) }]
  return metas
    .filter(({ attributes }) => attributes.get('property') === 'belongs-to-collection')
    .slice(0, MAX_LIST_ENTRIES)
    .flatMap((collection) => {
      const name = cleanLine(collection.text)
      const type = refinement(metas, collection, 'collection-type') ?? 'series'
      if (name === null || type !== 'series') return []
      return [{ name, part: partOf(refinement(metas, collection, 'group-position')) }]
    })
}

/** Normalises Calibre's `3.0` to `3`. */
function partOf(text: string | undefined): string | null {
  return cleanLine(text, 20)?.replace(/(?<=^\d{1,10})\.0+$/, '') ?? null
}

function idsOf(core: XmlElement): SidecarProviderIds {
  const identifiers = findChildren(core, 'identifier').slice(0, MAX_LIST_ENTRIES)
  const schemed = (schemes: RegExp): (string | undefined)[] =>
    identifiers.filter(({ attributes }) => schemes.test(attributes.get('scheme') ?? '')).map(({ text }) => text)
  const prefixed = (prefix: RegExp): string[] =>
    identifiers
      .map(({ text }) => text.trim())
      .filter((text) => prefix.test(text))
      .map((text) => text.replace(prefix, ''))
  const isbns = [...schemed(/^isbn/i), ...prefixed(/^(?:urn:)?isbn:/i), ...identifiers.map(({ text }) => text)]
  const asins = [
    ...schemed(/^(?:asin|mobi-asin|amazon\w*|audible)$/i),
    ...prefixed(/^(?:urn:)?(?:asin|amazon|mobi-asin):/i),
  ]
  return omitUndefined({
    isbn: isbns.map((text) => parseIsbn(text)).find((isbn) => isbn !== undefined),
    asin: asins.map((text) => parseAsin(text)).find((asin) => asin !== undefined),
  })
}

function coverOf(root: XmlElement, metas: readonly XmlElement[]): string | null {
  const items = findChildren(findChild(root, 'manifest'), 'item')
  const marked = items.find(
    ({ attributes }) => attributes.get('properties')?.split(/\s+/).includes('cover-image') === true,
  )
  const id = namedMeta(metas, 'cover')
  const named = id === undefined ? undefined : items.find(({ attributes }) => attributes.get('id') === id)
  return cleanLine((marked ?? named)?.attributes.get('href'))
}
