import t from 'tap'
import type { SearchResults } from '../../../../../src/daemon/web/app/api-types.d.ts'
import { en } from '../../../../../src/daemon/web/app/messages/en.ts'
import { itemGroups, namedGroups } from '../../../../../src/daemon/web/app/search/search-groups.ts'

const none = { items: [], has_more: false }

const EMPTY: SearchResults = {
  query: 'x',
  limit: 12,
  movies: none,
  series: none,
  episodes: none,
  tracks: none,
  audiobooks: none,
  books: none,
  photos: none,
  artists: none,
  albums: none,
  collections: none,
}

void t.test('only kinds with results are groups; one with more results has a list', (t) => {
  t.strictSame(itemGroups(EMPTY), [])
  const film = { id: 'f', name: 'A film' } as SearchResults['movies']['items'][number]
  const results = { ...EMPTY, series: { items: [film], has_more: false }, movies: { items: [film], has_more: true } }
  t.strictSame(
    itemGroups(results).map(({ key, kind }) => [key, kind]),
    [
      ['movies', 'movies'],
      ['series', undefined],
    ],
  )
  t.end()
})

void t.test('artists, albums and collections are names', (t) => {
  t.strictSame(namedGroups(EMPTY, en), [])
  const artist = { name: 'Someone', track_count: 1 } as SearchResults['artists']['items'][number]
  t.strictSame(namedGroups({ ...EMPTY, artists: { items: [artist], has_more: false } }, en), [
    { key: 'artists', names: [{ name: 'Someone', facts: '1 song', to: { page: 'artist', name: 'Someone' } }] },
  ])
  t.end()
})
