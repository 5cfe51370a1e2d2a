import t from 'tap'
import { pick } from '../../../support/app.ts'
import { startFilmCatalogue } from '../../../support/film-catalogue.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

const filmCatalogue = await startFilmCatalogue(t)

void t.test('similar items and recommendations, and their dismissal', async (t) => {
  const { get, ask, token, ids } = filmCatalogue
  const similar = (await get(`/media/${ids[0]}/similar?limit=5`)).json
  t.match(similar, {
    items: [{ id: ids[1], title: 'John Wick', posterUrl: null, year: 2014, reason: 'With Keanu Reeves' }],
  })
  t.ok(Number(pick(similar, 'items', 0, 'score')) >= 0.5)
  t.equal((await get(`/media/${UNKNOWN}/similar`)).status, 404)
  const recommended = async () => pick((await get('/me/recommendations?limit=3')).json, 'recommendations') as unknown[]
  t.equal(pick((await recommended())[0], 'reason'), 'Recently added', 'nothing is known of the user yet')
  await ask('POST', `/api/v1/media/${ids[0]}/favorite`, { token })
  const [first] = await recommended()
  t.match(first, { id: ids[1], title: 'John Wick', reason: 'With Keanu Reeves', computedAt: /Z$/ })
  t.match(await ask('DELETE', `/api/v1/me/recommendations/${ids[1]}`, { token }), { status: 200 })
  t.notOk((await recommended()).some((row) => pick(row, 'id') === ids[1]))
  for (const id of [UNKNOWN, 'x']) {
    t.equal((await ask('DELETE', `/api/v1/me/recommendations/${id}`, { token })).status, 404)
  }
})
