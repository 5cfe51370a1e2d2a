import type { LocalMetadata } from '../../probing/index.ts'
import { withoutEmptyFields } from './without-empty-fields.ts'

/**
 * Returns the facts of a video's sidecars under the keys of the API; missing facts are omitted.
 * @param records the most trusted last
 * @param namedIds ids from the name; ids of sidecars take precedence
 */
export function nfoFacts(records: readonly LocalMetadata[], namedIds: unknown = {}): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  for (const record of records) Object.assign(merged, factsOf(record))
  const ids = Object.assign({}, namedIds, ...records.map(videoIds)) as Record<string, string>
  const saysIds = records.some((record) => Object.keys(videoIds(record)).length > 0)
  return saysIds ? { ...merged, external_ids: ids } : merged
}

function factsOf(record: LocalMetadata): Record<string, unknown> {
  const { directors, writers, actors } = record
  return withoutEmptyFields({
    title: record.title,
    original_title: record.originalTitle,
    overview: record.overview,
    tagline: record.tagline,
    year: record.year,
    air_date: record.date,
    genres: record.genres,
    tags: record.tags,
    studio: record.studios[0],
    rating: record.contentRating,
    vote_average: record.score,
    actors: actors.map(({ name }) => name),
    cast: actors.map(({ name, role }) => ({ name, role, profile_url: null })),
    crew: [
      ...directors.map((name) => ({ name, job: 'Director', profile_url: null })),
      ...writers.map((name) => ({ name, job: 'Writer', profile_url: null })),
    ],
    director: directors.length === 0 ? null : directors.join(', '),
  })
}

function videoIds({ providerIds: { imdb, tmdb, tvdb } }: LocalMetadata): Record<string, unknown> {
  return withoutEmptyFields({ imdb, tmdb, tvdb })
}
