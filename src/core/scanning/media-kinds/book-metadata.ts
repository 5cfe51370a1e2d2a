import { sortTitle } from '../../naming/index.ts'
import type { ProbedBook, LocalMetadata } from '../../probing/index.ts'

/** Facts from the name of a book. */
type NamedBook = {
  title: string
  year: number | null
  authors: readonly string[]
  series: string | null
  index: number | null
  volume: number | null
}

/** Facts from a book and its sidecars. */
type MergedBookFacts = {
  title: string | null
  sortTitle: string | null
  /** For comics: the sort key of the issues of a series. */
  issueOrder: string | null
  /** Year of the publication, from an OPF sidecar. */
  publishedYear: number | null
  /** Year in the book file itself; it is often the year in which the file was created. */
  embeddedYear: number | null
  /** Under the keys of the API. */
  metadata: Record<string, unknown>
}

/** Returns the facts from the name, under the same keys as the embedded facts. */
export function bookFactsFromName({ title, year, authors, series, index, volume }: NamedBook): Record<string, unknown> {
  return withoutEmptyFields({
    title,
    year,
    authors,
    author: authors.join(', '),
    series,
    series_part: index === null ? null : String(index),
    volume,
  })
}

/** @param local the sidecars, the most trusted last; they take precedence over the book's own metadata */
export function mergeBookMetadata({
  book,
  local,
}: {
  book: ProbedBook | undefined
  local: readonly LocalMetadata[]
}): MergedBookFacts {
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
    issueOrder: isComic && series !== null && series.part !== null ? issueSortKey(series.name, series.part) : null,
    publishedYear: local.toReversed().find(({ year }) => year !== null)?.year ?? null,
    embeddedYear: book?.metadata.year ?? null,
    metadata: withoutEmptyFields({
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
      tags: list((record) => record.tags),
      isbn,
      external_ids: withoutEmptyFields({ isbn, asin: first((record) => record.providerIds.asin ?? null) }),
      page_count: book?.pageCount,
      description: overview,
      overview,
    }),
  }
}

/** Returns a sort key that puts `Saga #2` before `Saga #10`. @param part a number, or any text that a comic uses instead */
export function issueSortKey(series: string, part: string): string {
  const [, whole = '', rest = ''] = /^(\d*)(.*)$/su.exec(part) ?? []
  return `${sortTitle(series)} ${whole.padStart(5, '0')}${rest}`
}

/** Removes keys without a value. */
function withoutEmptyFields(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isNothing(value)))
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
