import t from 'tap'
import { createRowTexts } from '../../../../src/daemon/routes/media/row-texts.ts'
import { SearchResult } from '../../../../src/daemon/routes/media/browse.schemas.ts'
import { FavouriteList } from '../../../../src/daemon/routes/user-items/user-items.schemas.ts'
import { MediaList } from '../../../../src/daemon/routes/media/media.schemas.ts'

const { compileList, extend } = createRowTexts()

const row = (name: string) => ({
  id: '00000000-0000-4000-8000-000000000001',
  library_id: '00000000-0000-4000-8000-000000000002',
  name,
  type: 'movie' as const,
  sort_title: name,
  path: `/films/${name}.mkv`,
  poster_url: '/api/v1/artwork/a?size=300&exp=1&sig=b',
  poster_srcset: '/api/v1/artwork/a?size=300&exp=1&sig=b 300w',
  backdrop_url: null,
  backdrop_srcset: null,
  genres: [name, ''],
  year: 1999,
  rating: null,
  runtime: 0,
  duration: 1,
  overview: `${name}\n"`,
  actors: [],
  director: name,
  parent_id: null,
  season_number: null,
  episode_number: null,
  episode_title: null,
  air_date: null,
  artist: null,
  album: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
})

const NAMES = ['Heat', '', '"]}', '\\', '\u2028\u0001\n', '𝕏 é', '\ud800', '</script>', '],"total":9,"items":[']

void t.test('a list of rows is JSON that says what the rows say', (t) => {
  const textOf = compileList({ schema: MediaList })
  const items = NAMES.map(row)
  const list = { items, total: 99, limit: 50, offset: 7 }
  // Half of a surrogate pair is not a character; JSON carries it as an escape (RFC 8259, 8.2).
  t.strictSame(JSON.parse(textOf(list)), list)
  t.equal(textOf(list), textOf(list), 'and the same a second time')
  t.strictSame(JSON.parse(textOf({ ...list, items: items.toReversed() })), { ...list, items: items.toReversed() })
  t.end()
})

void t.test('a list without rows is one all the same', (t) => {
  const list = { items: [], total: 0, limit: 50, offset: 0 }
  t.equal(compileList({ schema: MediaList })(list), '{"items":[],"total":0,"limit":50,"offset":0}')
  t.end()
})

void t.test('what a search says beside its rows is kept', (t) => {
  const list = { items: NAMES.map(row), query: '"],"items":[', total: 1, limit: 50, offset: 0 }
  t.strictSame(JSON.parse(compileList({ schema: SearchResult })(list)), list)
  t.end()
})

void t.test('additional keys of one list are merged with the keys of the row', (t) => {
  const user = (favorite: boolean) => ({ user_data: { favorite, rating: null, like_level: 0, watched: false } })
  const film = row('Heat')
  const page = { limit: 50, offset: 0 }
  const textOf = compileList({ schema: FavouriteList })
  const answer = (favorite: boolean) => JSON.parse(textOf({ items: [extend(film, user(favorite))], ...page }))
  t.strictSame(answer(true), { items: [{ ...film, ...user(true) }], ...page })
  t.strictSame(answer(false), { items: [{ ...film, ...user(false) }], ...page }, 'and is serialized each time')
  const alone = compileList({ schema: MediaList })({ items: [film], total: 1, ...page })
  t.strictSame(JSON.parse(alone), { items: [film], total: 1, ...page }, 'and not in others')
  t.end()
})

void t.test('another row of the same item has a text of its own', (t) => {
  const textOf = compileList({ schema: MediaList })
  const page = { total: 1, limit: 50, offset: 0 }
  const before = { ...row('Heat'), poster_url: null }
  textOf({ items: [before], ...page })
  const after = { ...before, poster_url: '/api/v1/artwork/b' }
  t.match(textOf({ items: [after], ...page }), '"poster_url":"/api/v1/artwork/b"')
  t.end()
})
