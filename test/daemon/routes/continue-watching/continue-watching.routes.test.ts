import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'

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
