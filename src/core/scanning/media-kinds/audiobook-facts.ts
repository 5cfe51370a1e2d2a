import { CHAPTER_MARKS, chaptersFromMarks } from '../../audiobooks/index.ts'
import type { Chapter } from '../../catalogue/index.ts'
import { splitAuthorNames, type AudiobookName } from '../../naming/index.ts'
import type { FileFacts, LocalMetadata } from '../../probing/index.ts'
import { withoutEmptyFields } from './without-empty-fields.ts'

type Tags = NonNullable<FileFacts['tags']>

/** Facts about a book; title and year are separate, because they have their own columns. */
type BookFacts = { title: string | null; year: number | null; metadata: Record<string, unknown> }

/** Returns the facts from the path of a book, under the names of the API. */
export function audiobookFactsFromPath(named: AudiobookName): Record<string, unknown> {
  return withoutEmptyFields({
    title: named.title,
    subtitle: named.subtitle,
    ...people(named.authors, named.narrators),
    series: named.series,
    series_part: named.sequence === null ? null : String(named.sequence),
    year: named.year,
    asin: named.asin,
  })
}

/** Returns the facts about a book from the tags of one file. The album tag is the title of the book. */
export function audiobookFactsFromTags(tags: Tags): Record<string, unknown> {
  const { series, seriesPart, narrators, asin } = tags.audiobook
  const authors = splitAuthorNames(tags.albumArtist ?? tags.artist ?? '')
  return withoutEmptyFields({
    album: tags.album,
    subtitle: tags.subtitle,
    ...people(authors, narrators.flatMap(splitAuthorNames)),
    series,
    series_part: series === null ? null : seriesPart,
    year: tags.year,
    publisher: tags.publisher,
    language: tags.language,
    genres: tags.genres,
    tags: tags.isExplicit ? ['explicit'] : null,
    overview: tags.description ?? tags.comment,
    asin,
  })
}

/**
 * Merges tags and sidecar files; sidecars take precedence.
 * @param local sidecars, the most trusted last
 */
export function mergeAudiobookFacts(byTags: Record<string, unknown>, local: readonly LocalMetadata[]): BookFacts {
  const metadata: Record<string, unknown> = { ...byTags }
  for (const said of local) Object.assign(metadata, factsFromSidecar(said))
  const title = metadata['title'] ?? metadata['album']
  const year = metadata['year']
  return {
    title: typeof title === 'string' ? title : null,
    year: typeof year === 'number' ? year : null,
    metadata,
  }
}

function factsFromSidecar(said: LocalMetadata): Record<string, unknown> {
  const [series] = said.series
  return withoutEmptyFields({
    title: said.title,
    subtitle: said.subtitle,
    ...people(said.authors, said.narrators),
    // A series without a part number must not keep the part number of another series.
    ...(series !== undefined && { series: series.name, series_part: series.part ?? undefined }),
    year: said.year,
    air_date: said.date,
    publisher: said.publisher,
    language: said.language,
    genres: said.genres,
    tags: said.tags,
    overview: said.overview,
    asin: said.providerIds.asin,
    isbn: said.providerIds.isbn,
  })
}

function people(authors: readonly string[], narrators: readonly string[]): Record<string, unknown> {
  return {
    author: authors.join(', ') || null,
    authors,
    narrator: narrators.join(', ') || null,
    narrators,
  }
}

/** Returns the chapters from a sidecar of a single-file book; they replace embedded chapters. */
export function chaptersFromSidecars(
  local: readonly LocalMetadata[],
  durationSeconds: number | null,
): { chapters?: Chapter[] } {
  const marks = marksIn(local)
  return marks.length === 0 || durationSeconds === null ? {} : { chapters: chaptersFromMarks(marks, durationSeconds) }
}

/** Returns the chapter marks of a book in several files, stored with its metadata until the total length is known. */
export function chapterMarksFromSidecars(local: readonly LocalMetadata[]): Record<string, unknown> {
  return withoutEmptyFields({
    [CHAPTER_MARKS]: marksIn(local).map(({ startSeconds, endSeconds, title }) => ({
      start_seconds: startSeconds,
      end_seconds: endSeconds,
      title,
    })),
  })
}

function marksIn(local: readonly LocalMetadata[]): LocalMetadata['chapters'] {
  return local.findLast(({ chapters }) => chapters.length > 0)?.chapters ?? []
}
