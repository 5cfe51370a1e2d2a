import { sql } from 'slonik'
import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { episodes, startFilmCatalogue } from '../../../support/film-catalogue.ts'

const SECOND = 10_000_000
const PATHS = ['/api/v1/users/me/continue-watching', '/api/v1/me/continue-watching'] as const

void t.test('a row is that of every list, with the place and what clients read from metadata', async (t) => {
  const { ask, registerUser, services } = await startApp(t)
  const { token } = await registerUser()
  const metadata = { genres: ['Drama'], overview: 'A tale', source: { width: 1920 }, season: 'not this' }
  const [item = ''] = await makeItems(services.db, t.testdir(), [{ metadata, durationSeconds: 600 }])
  const session = pick((await ask('POST', '/api/v1/sessions', { token, body: {} })).json, 'session_id')
  const body = { media_item_id: item, position_ticks: 30 * SECOND, duration_ticks: 601 * SECOND, is_paused: true }
  await ask('POST', `/api/v1/sessions/${String(session)}/progress`, { token, body })
  const row = pick((await ask('GET', '/api/v1/media', { token })).json, 'items', 0)
  for (const path of PATHS) {
    const { status, json } = await ask('GET', path, { token })
    t.equal(status, 200)
    t.strictSame(json, {
      items: [
        {
          ...(row as object),
          media_item_id: item,
          position_ticks: 30 * SECOND,
          duration_ticks: 601 * SECOND,
          playback_status: 'paused',
          metadata: {
            title: 'Film 0',
            year: 1999,
            runtime: 10,
            ...metadata,
            season: null,
            episode: null,
            duration_seconds: 600,
          },
        },
      ],
    })
  }
})

void t.test('ten are offered, at most fifty, and only to those who are signed in', async (t) => {
  const { ask, registerUser, services } = await startApp(t)
  const { token } = await registerUser()
  const items = await makeItems(
    services.db,
    t.testdir(),
    Array.from({ length: 55 }, () => ({})),
  )
  const session = pick((await ask('POST', '/api/v1/sessions', { token, body: {} })).json, 'session_id')
  for (const item of items) {
    const body = { media_item_id: item, position_ticks: 30 * SECOND }
    await ask('POST', `/api/v1/sessions/${String(session)}/progress`, { token, body })
  }
  const newest = items.toReversed()
  for (const path of PATHS) {
    const ids = async (query: string) => {
      const { json } = await ask('GET', `${path}${query}`, { token })
      return (pick(json, 'items') as unknown[]).map((row) => pick(row, 'id'))
    }
    t.strictSame(await ids(''), newest.slice(0, 10))
    t.strictSame(await ids('?limit='), newest.slice(0, 10))
    t.strictSame(await ids('?limit=3'), newest.slice(0, 3))
    for (const limit of ['51', '1000000000', '9007199254740993'])
      t.equal((await ids(`?limit=${limit}`)).length, 50, limit)
    for (const limit of ['0', '-1', '-0']) t.strictSame(await ids(`?limit=${limit}`), newest.slice(0, 1), limit)
    for (const limit of ['abc', '1e400', '1.5', 'NaN']) {
      const answer = await ask('GET', `${path}?limit=${limit}`, { token })
      t.match(answer, { status: 400, json: { code: 'invalid_request', field: 'limit' } }, limit)
    }
    t.match(await ask('GET', path), { status: 401, json: { code: 'auth.required' } })
  }
})

void t.test('an episode shows the poster of its series here, and that of its season in every other list', async (t) => {
  const { get, ask, token, ids, services } = await startFilmCatalogue(t, episodes(['1:1', '2:1', '2:2']))
  const report = async (media_item_id: string | undefined) => {
    const session = pick((await ask('POST', '/api/v1/sessions', { token, body: {} })).json, 'session_id')
    const body = { media_item_id, position_ticks: 30 * SECOND }
    await ask('POST', `/api/v1/sessions/${String(session)}/progress`, { token, body })
  }
  for (const id of ids.slice(0, 2)) await report(id)
  const idOf = async (name: string) =>
    String(await services.db.oneFirst(sql.unsafe`select id from media_items where name = ${name}`))
  const setPoster = async (name: string, kind: 'poster' | 'backdrop' = 'poster') =>
    services.db.query(sql.unsafe`
      insert into provider_artwork (media_item_id, kind, url) values (${await idOf(name)}, ${kind}, ${`https://images.example/${name}.jpg`})`)
  const shown = async (path: string, key = 'poster_url') =>
    (pick((await get(path)).json, 'items') as unknown[]).map((row) => pick(row, key))
  const postersOf = async (...names: string[]) =>
    Promise.all(names.map(async (name) => pick((await get(`/media/${await idOf(name)}`)).json, 'poster_url')))
  await setPoster('Season 1')
  const [first] = await postersOf('Season 1')
  t.match(first, /^\/api\/v1\/artwork\//)
  for (const path of PATHS) {
    t.strictSame(await shown(path.slice(7)), [null, first], 'while the series has none, that of the season')
  }
  await setPoster('Show')
  await setPoster('Show', 'backdrop')
  await setPoster('Season 1', 'backdrop')
  const [series] = await postersOf('Show')
  t.not(series, first)
  for (const path of PATHS) t.strictSame(await shown(path.slice(7)), [series, series])
  t.strictSame(await shown('/users/me/recently-watched'), [series, first])
  const [inOtherLists] = await shown(`/media?parentId=${await idOf('Season 1')}`, 'backdrop_url')
  t.equal((await shown('/me/continue-watching', 'backdrop_url'))[1], inOtherLists, 'only the poster is another')
  t.strictSame(await postersOf('Episode 1:1'), [first], 'nor in the detail')
})

void t.test('next-up rows say where an episode belongs, and ticks of 0', async (t) => {
  const { get, ask, token, ids } = await startFilmCatalogue(t, episodes(['1:1', '1:2']))
  await ask('POST', `/api/v1/media/${ids[0]}/watched`, { token })
  const [row] = pick((await get('/users/me/next-up')).json, 'items') as unknown[]
  t.match(row, { id: ids[1], media_item_id: ids[1], series_name: 'Show', position_ticks: 0, duration_ticks: 0 })
  t.match(row, { duration: 100 }, 'how long it is stands there all the same')
})
