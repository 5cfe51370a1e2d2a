import type { ListedKind, ListPlace } from '../places/place.ts'

/** The types of the items of a kind, as in the groups of the search. */
const TYPES: Readonly<Record<ListedKind, readonly string[]>> = {
  movies: ['movie', 'video'],
  series: ['series'],
  episodes: ['episode'],
  tracks: ['audio'],
  audiobooks: ['audiobook'],
  books: ['book'],
  photos: ['image'],
}

/** The filters of a list, for every route that takes them. */
export function filtersOf({ library, genre, words, kind }: ListPlace): URLSearchParams {
  const query = new URLSearchParams()
  if (library !== '') query.set('libraryId', library)
  if (genre !== '') query.set('genres', genre)
  if (words === '') query.set('topLevel', '1')
  else query.set('search', words)
  if (kind !== '') for (const type of TYPES[kind]) query.append('types', type)
  return query
}

/** The query of the rows, without `limit` and `offset`. A search has an order of its own. */
export function rowsQuery(place: ListPlace): string {
  const query = filtersOf(place)
  if (place.words === '') {
    query.set('sort', place.sort)
    if (place.isDescending) query.set('order', 'desc')
  }
  query.set('include', 'user_data')
  return String(query)
}
