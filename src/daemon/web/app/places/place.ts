/** What the app shows, and its address: `/` with a query, so that the server needs no route for each. */

/** The kinds of search results that have a list of their own. */
export const LISTED_KINDS = ['movies', 'series', 'episodes', 'tracks', 'audiobooks', 'books', 'photos'] as const

export type ListedKind = (typeof LISTED_KINDS)[number]

export const SORTS = ['name', 'added', 'year', 'rating', 'runtime'] as const

export type Sort = (typeof SORTS)[number]

/** A list of titles. `library` is an id; empty for all libraries. */
export type ListPlace = {
  page: 'list'
  library: string
  sort: Sort
  isDescending: boolean
  genre: string
  /** Only what is called so, of one kind. */
  words: string
  kind: ListedKind | ''
}

/** Music by artists or albums. An artist and an album have no id: the server knows them by their names. */
export type MusicPlace =
  | { page: 'albums' }
  | { page: 'artists' }
  | { page: 'artist'; name: string }
  | { page: 'album'; title: string; artist: string }

/** Photos by month. `library` is an id; empty for all libraries. */
export type PhotosPlace = { page: 'photos'; library: string }

export type Place =
  | { page: 'home' }
  | { page: 'search'; words: string }
  | { page: 'item'; id: string }
  | ListPlace
  | MusicPlace
  | PhotosPlace

export const isMusic = (place: Place): place is MusicPlace =>
  ['albums', 'artists', 'album', 'artist'].includes(place.page)

export const HOME: Place = { page: 'home' }

/** A library as it is first shown. */
export function listOf(library: string, changes: Partial<ListPlace> = {}): ListPlace {
  const place = { page: 'list', library, sort: 'name', isDescending: false, genre: '', words: '', kind: '' } as const
  return { ...place, ...changes }
}

/** @param query the query of an address, which may come from anywhere */
export function parsePlace(query: string): Place {
  const values = new URLSearchParams(query)
  const of = (name: string): string => values.get(name) ?? ''
  if (of('item') !== '') return { page: 'item', id: of('item') }
  const music = parseMusic(of)
  if (music !== undefined) return music
  if (values.has('photos')) return { page: 'photos', library: of('photos') }
  const words = of('q')
  if (values.has('list'))
    return listOf(of('list'), {
      words,
      genre: of('genre'),
      sort: SORTS.find((sort) => sort === of('sort')) ?? 'name',
      isDescending: of('order') === 'desc',
      kind: LISTED_KINDS.find((kind) => kind === of('kind')) ?? '',
    })
  return words === '' ? HOME : { page: 'search', words }
}

function parseMusic(of: (name: string) => string): MusicPlace | undefined {
  const [title, artist, list] = [of('album'), of('artist'), of('music')]
  if (title !== '') return { page: 'album', title, artist }
  if (artist !== '') return { page: 'artist', name: artist }
  return list === 'albums' || list === 'artists' ? { page: list } : undefined
}

export function addressOf(place: Place): string {
  switch (place.page) {
    case 'home':
      return '/'
    case 'item':
      return `/?${new URLSearchParams({ item: place.id })}`
    case 'search':
      return `/?${new URLSearchParams({ q: place.words })}`
    case 'list':
      return `/?${listQuery(place)}`
    case 'albums':
    case 'artists':
      return `/?${new URLSearchParams({ music: place.page })}`
    case 'photos':
      return `/?${new URLSearchParams({ photos: place.library })}`
    case 'artist':
      return `/?${new URLSearchParams({ artist: place.name })}`
    case 'album':
      return `/?${new URLSearchParams({ album: place.title, artist: place.artist })}`
  }
}

function listQuery({ library, sort, isDescending, genre, words, kind }: ListPlace): URLSearchParams {
  const query = new URLSearchParams({ list: library })
  if (sort !== 'name') query.set('sort', sort)
  if (isDescending) query.set('order', 'desc')
  if (genre !== '') query.set('genre', genre)
  if (kind !== '') query.set('kind', kind)
  if (words !== '') query.set('q', words)
  return query
}
