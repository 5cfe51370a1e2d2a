import t from 'tap'
import { pick } from '../../../support/app.ts'
import { startFilmCatalogue } from '../../../support/film-catalogue.ts'

const filmCatalogue = await startFilmCatalogue(t)

void t.test('playback data: recently watched, history, most watched, and deleting them', async (t) => {
  const { get, ask, token, ids, registerAdmin } = filmCatalogue
  const session = String(
    pick((await ask('POST', '/api/v1/sessions', { token, body: { device_id: 'd' } })).json, 'session_id'),
  )
  const report = (media_item_id: string | undefined, position_ticks: number) =>
    ask('POST', `/api/v1/sessions/${session}/progress`, {
      token,
      body: { media_item_id, position_ticks, duration_ticks: 1_000_000_000, is_paused: false },
    })
  await report(ids[0], 250_000_000)
  await report(ids[1], 950_000_000)
  await ask('POST', `/api/v1/sessions/${session}/complete`, { token })
  const recent = (await get('/users/me/recently-watched?limit=5')).json
  t.match(recent, {
    items: [
      { id: ids[1], media_item_id: ids[1], playback_status: 'stopped', progress_percent: 100, position_ticks: 0 },
      {
        id: ids[0],
        name: 'The Matrix',
        type: 'movie',
        position_ticks: 250_000_000,
        progress_percent: 25,
        updated_at: /Z$/,
      },
    ],
  })
  t.equal(pick(recent, 'items', 1, 'metadata', 'duration_seconds'), 8160)
  t.match((await get('/me/history')).json, {
    items: [
      { id: ids[1], progress: 1 },
      { id: ids[0], progress: 0.25, media: { name: 'The Matrix' } },
    ],
    limit: 50,
    offset: 0,
  })
  t.match((await get('/media/most-watched')).json, { items: [{ id: ids[1] }], total: 1, limit: 20, offset: 0 })
  t.match((await get('/media/most-watched?limit=1000&offset=7')).json, { limit: 100, offset: 0 })

  const stranger = (await registerAdmin()).token
  t.strictSame((await get('/me/history', stranger)).json, { items: [], limit: 50, offset: 0 })
  t.equal((await ask('DELETE', `/api/v1/users/me/history/${ids[0]}`, { token: stranger })).status, 404)
  t.match(await ask('DELETE', `/api/v1/users/me/history/${ids[0]}`, { token }), {
    status: 200,
    json: { message: /history/ },
  })
  t.equal((pick((await get('/me/history')).json, 'items') as unknown[]).length, 1)
  t.equal((await ask('DELETE', '/api/v1/users/me/history/x', { token })).status, 404)
  await ask('DELETE', '/api/v1/users/me/history', { token, headers: { 'content-type': 'application/json' } })
  t.strictSame(pick((await get('/me/history')).json, 'items'), [])
  t.match((await ask('DELETE', '/api/v1/users/me/history', { token })).status, 200, 'an empty history is not an error')
  t.ok(pick((await get(`/media/${ids[1]}`)).json, 'user_data', 'watched'), 'the mark stays')
})
