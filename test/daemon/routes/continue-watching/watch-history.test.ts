import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const PATH = '/api/v1/admin/watch-history'
const MINUTE = 600_000_000

void t.test('administrators see what all users have watched, each item once for each user', async (t) => {
  const { ask, services, registerAdmin, registerUser } = await startApp(t)
  const [admin, user] = [await registerAdmin(), await registerUser()]
  const [alien = '', brazil = ''] = await makeItems(services.db, t.testdir(), [{ name: 'Alien' }, { name: 'Brazil' }])
  const play = async ({ token }: { token: string }, id: string, minutes: number) => {
    const session = String(pick((await ask('POST', '/api/v1/sessions', { token, body: {} })).json, 'session_id'))
    const body = { media_item_id: id, position_ticks: minutes * MINUTE, duration_ticks: 100 * MINUTE, is_paused: true }
    await ask('POST', `/api/v1/sessions/${session}/progress`, { token, body })
    return session
  }
  await play(user, alien, 10)
  await play(user, alien, 20)
  const session = await play(user, brazil, 50)
  await ask('POST', `/api/v1/sessions/${session}/complete`, { token: user.token, body: { media_item_id: brazil } })
  await play(admin, alien, 30)

  const look = async (query = '') => (await ask('GET', `${PATH}${query}`, { token: admin.token })).json
  const all = await look()
  t.notOk(Object.hasOwn(all as object, 'success'), 'with it the console client takes `data` for the whole reply')
  t.match(all, {
    count: 3,
    data: [
      { media_item_id: alien, username: 'admin', progress_percent: 30, playback_status: 'paused', completed_at: null },
      { media_item_id: brazil, user_id: user.account.id, playback_status: 'completed', progress_percent: 100 },
      {
        media_item_id: alien,
        media_name: 'Alien',
        media_type: 'movie',
        username: 'user',
        display_name: 'user',
        progress_percent: 20,
      },
    ],
  })
  t.equal(pick(all, 'data', 1, 'completed_at'), pick(all, 'data', 1, 'last_watched_at'))
  t.equal(new Set((pick(all, 'data') as { id: string }[]).map(({ id }) => id)).size, 3)
  t.match(await look(`?userId=${user.account.id}&limit=1`), { count: 1, data: [{ media_item_id: brazil }] })
  t.match(await look(`?libraryId=${String(pick(all, 'data', 0, 'library_id'))}`), { count: 3 })
  t.match(await look(`?userId=&libraryId=&limit=1e9`), { count: 3 }, 'blank is none')
  for (const query of [`?userId=${UNKNOWN}`, `?libraryId=${UNKNOWN}`])
    t.match(await look(query), { count: 0, data: [] })
  for (const [query, field] of [
    ['?userId=5', 'userId'],
    ["?libraryId='", 'libraryId'],
    ['?limit=x', 'limit'],
  ] as const) {
    t.match(await ask('GET', `${PATH}${query}`, { token: admin.token }), { status: 400, json: { field } })
  }
  t.match(await ask('GET', PATH, { token: user.token }), { status: 403, json: { code: 'auth.not_admin' } })
  t.equal((await ask('GET', PATH)).status, 401)
})
