import { sql } from 'slonik'
import t from 'tap'
import { pick } from '../../../support/app.ts'
import { episodes, startFilmCatalogue } from '../../../support/film-catalogue.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

void t.test('a series: posters from above, next episodes, gaps, shuffling, removing', async (t) => {
  const numbers = ['1:1', '1:2', '1:4', '2:1', '0:1']
  const { get, ask, token, ids, registerAdmin, services, libraryId } = await startFilmCatalogue(t, episodes(numbers))
  const top = (await get('/media?topLevel=1')).json
  t.match(top, { total: 1, items: [{ name: 'Show', type: 'series', path: null, parent_id: null }] })
  const series = String(pick(top, 'items', 0, 'id'))
  t.equal(pick((await get('/media')).json, 'total'), 9)
  t.equal(pick((await get('/media?types[]=episode')).json, 'total'), 5)
  t.strictSame(pick((await get('/media/letter-index?topLevel=1')).json, 'letters'), [
    { letter: 'S', offset: 0, count: 1 },
  ])
  await services.db.query(sql.unsafe`
    insert into provider_artwork (media_item_id, kind, url) values (${series}, 'poster', 'https://images.example/show.jpg')`)
  const episode = (await get(`/media/${ids[0]}`)).json
  t.match(pick(episode, 'poster_url'), /^\/api\/v1\/artwork\/.+[?&]sig=/)
  t.equal(pick(episode, 'poster_url'), pick((await get(`/media/${series}`)).json, 'poster_url'))
  t.match(pick(episode, 'poster_srcset'), / \d+w, /)
  const names = { series_id: series, series_name: 'Show', series_title: 'Show' }
  t.match(episode, { ...names, item: names }, 'an episode names its series')
  t.match(
    (await get(`/media/${String(pick(episode, 'parent_id'))}`)).json,
    { type: 'season', ...names },
    'a season too',
  )
  const none = { series_id: null, series_name: null, series_title: null }
  t.match((await get(`/media/${series}`)).json, { type: 'series', ...none })

  t.strictSame((await get('/users/me/next-up')).json, { items: [] })
  await ask('POST', `/api/v1/media/${ids[1]}/watched`, { token, headers: { 'content-type': 'application/json' } })
  const next = (await get('/users/me/next-up?limit=500')).json
  t.match(next, {
    items: [
      { id: ids[2], series_id: series, series_name: 'Show', series_title: 'Show', position_ticks: 0, season_number: 1 },
    ],
  })
  await ask('POST', `/api/v1/media/${ids[2]}/watched`, { token })
  t.equal(pick((await get('/users/me/next-up')).json, 'items', 0, 'id'), ids[3], 'on to the next season')
  await ask('POST', `/api/v1/media/${ids[3]}/watched`, { token })
  t.strictSame((await get('/users/me/next-up')).json, { items: [] }, 'nothing is left')

  const nextOf = async (id = '') => pick((await get(`/media/${id}/next`)).json, 'item')
  t.match(await nextOf(ids[0]), { id: ids[1], name: 'Episode 1:2' }, 'the next one, although it was watched')
  t.match(await nextOf(ids[2]), { id: ids[3] }, 'of the next season')
  for (const last of [ids[3], ids[4], series]) t.equal(await nextOf(last), null)
  t.equal((await get(`/media/${UNKNOWN}/next`)).status, 404)

  t.strictSame((await get(`/media/${series}/missing-episodes`)).json, {
    total_expected: 5,
    total_existing: 4,
    missing_episodes: [{ season_number: 1, episode_number: 3 }],
  })
  const shuffled = await ask('POST', '/api/v1/shuffle', { token, body: { media_id: series } })
  t.same((pick(shuffled.json, 'shuffled_ids') as string[]).toSorted(), ids.toSorted())
  t.match(shuffled.json, { mode: 'shuffle', message: '5 items shuffled' })
  t.equal((await ask('POST', '/api/v1/shuffle', { token, body: {} })).status, 400)
  t.equal((await ask('POST', '/api/v1/shuffle', { token, body: { media_id: UNKNOWN } })).status, 404)

  const admin = (await registerAdmin()).token
  const items = await get(`/libraries/${libraryId}/items?type=season`)
  t.match(items.json, { total: 3, items: [{ type: 'season' }, {}, {}] })
  t.equal((await ask('DELETE', `/api/v1/media/${series}`, { token })).status, 403)
  t.match(await ask('DELETE', `/api/v1/media/${series}`, { token: admin }), {
    status: 200,
    json: { message: /removed/ },
  })
  t.equal((await ask('DELETE', `/api/v1/media/${series}`, { token: admin })).status, 404)
  t.match((await get('/media')).json, { total: 0, items: [] })
})
