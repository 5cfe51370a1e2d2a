import t from 'tap'
import type { Home } from '../../../../../src/daemon/web/app/api-types.d.ts'
import { homeRows } from '../../../../../src/daemon/web/app/home/home-rows.ts'
import { en } from '../../../../../src/daemon/web/app/messages/en.ts'

const EMPTY: Home = {
  continue_watching: [],
  next_up: [],
  continue_listening: [],
  continue_reading: [],
  recently_added: [],
  favorites: [],
  recommendations: [],
  limit: 24,
}

void t.test('the start page has the rows that are not empty, in their order', (t) => {
  t.strictSame(homeRows(EMPTY, en), [])
  const library = { id: 'l', name: 'Films', type: 'movie' }
  const film = { id: 'f', name: 'A film', type: 'movie' } as Home['recently_added'][number]['items'][number]
  const book = { id: 'b', name: 'A book', cover_url: '/c' } as Home['continue_listening'][number]
  const suggestion = {
    id: 's',
    title: 'Another',
    type: 'movie',
    posterUrl: '/p',
    year: 2000,
    score: 1,
    reason: '',
    computedAt: '',
  }
  const rows = homeRows(
    {
      ...EMPTY,
      continue_listening: [book],
      recently_added: [{ library, items: [film] }],
      recommendations: [suggestion],
    },
    en,
  )
  t.strictSame(
    rows.map(({ title, isPlayed }) => [title, isPlayed]),
    [
      ['Continue listening', true],
      ['New in Films', false],
      ['Recommended', false],
    ],
  )
  t.match(rows[0]?.items, [{ id: 'b', type: 'audiobook', poster_url: '/c' }])
  t.equal(rows[1]?.library, library)
  t.match(rows[2]?.items, [{ id: 's', name: 'Another', poster_url: '/p' }])
  t.end()
})

void t.test('songs are not continued here, and an episode is named with its series', (t) => {
  const rowOf = (keys: object) => ({ id: 'x', name: 'A show S01E02', ...keys }) as Home['continue_watching'][number]
  const [row] = homeRows(
    { ...EMPTY, continue_watching: [rowOf({ type: 'audio' }), rowOf({ type: 'episode', episode_title: 'Pilot' })] },
    en,
  )
  t.match(row?.items, [{ type: 'episode', name: 'A show S01E02', episode_title: null }])
  t.equal(row?.items.length, 1)
  t.end()
})
