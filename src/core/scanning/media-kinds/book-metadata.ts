import { sortTitle } from '../../naming/index.ts'
import type { Book, LocalMetadata } from '../../probing/index.ts'

/** What the name of a book says. */
type NamedBook = {
  title: string
  year: number | null
  authors: readonly string[]
  series: string | null
  index: number | null
  volume: number | null
}

/** What a book, and what lies beside it, say. */
type SaidOfBook = {
  title: string | null
  sortTitle: string | null
  /** Of a comic, what puts the issues of a series in order. */
  issueOrder: string | null
  /** As an OPF beside it has it. */
  publishedYear: number | null
  /** As the file has it: often when the file was made. */
  embeddedYear: number | null
  /** Under the keys of documents 1 and 4 (9, Books). */
  metadata: Record<string, unknown>
}

/** What the name says, under the same keys as what the book says. */
export function namedBook({ title, year, authors, series, index, volume }: NamedBook): Record<string, unknown> {
  return known({
    title,
    year,
    authors,
    author: authors.join(', '),
    series,
    series_part: index === null ? null : String(index),
    volume,
  })
}

/** @param local what lies beside it, the most trusted last; all of it is believed before the book itself */
export function mergeBooks({ book, local }: { book: Book | undefined; local: readonly LocalMetadata[] }): SaidOfBook {
  const embedded = book === undefined ? [] : [book.metadata]
  const records = [...local.toReversed(), ...embedded]
  const first = <Value>(read: (record: LocalMetadata) => Value | null): Value | null =>
    records.map(read).find((value) => value !== null) ?? null
  const list = (read: (record: LocalMetadata) => readonly string[]): readonly string[] =>
    records.map(read).find(({ length }) => length > 0) ?? []
  const title = first((record) => record.title)
  const authors = list((record) => record.authors)
  const series = first((record) => record.series[0] ?? null)
  const overview = first((record) => record.overview)
  const isComic = book?.metadata.kind === 'comic'
  const isbn = first((record) => record.providerIds.isbn ?? null)
  return {
    title,
    sortTitle: first((record) => (record.title === title ? record.sortTitle : null)),
    issueOrder: isComic && series !== null && series.part !== null ? issueOrder(series.name, series.part) : null,
    publishedYear: local.toReversed().find(({ year }) => year !== null)?.year ?? null,
    embeddedYear: book?.metadata.year ?? null,
    metadata: known({
      title,
      subtitle: first((record) => record.subtitle),
      authors,
      author: authors.join(', '),
      artists: list((record) => record.artists),
      series: series?.name,
      series_part: series?.part,
      publisher: first((record) => record.publisher),
      published: first((record) => record.date),
      language: first((record) => record.language),
      rating: first((record) => record.contentRating),
      genres: list((record) => record.genres),
      isbn,
      external_ids: known({ isbn, asin: first((record) => record.providerIds.asin ?? null) }),
      page_count: book?.pageCount,
      description: overview,
      overview,
    }),
  }
}

/** What sorts `Saga #2` before `Saga #10`. @param part a number, or whatever a comic says instead of one */
export function issueOrder(series: string, part: string): string {
  const [, whole = '', rest = ''] = /^(\d*)(.*)$/su.exec(part) ?? []
  return `${sortTitle(series)} ${whole.padStart(5, '0')}${rest}`
}

/** Without keys that say nothing. */
function known(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isNothing(value)))
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
