import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { startApp } from '../support/app.ts'
import { ITEM_DETAIL } from '../support/contract/documented-media.ts'
import { ERROR } from '../support/contract/documented.ts'
import { UNKNOWN } from '../support/contract/filled-server.ts'
import { mismatches, type Shape } from '../support/contract/shapes.ts'
import { startFakeTmdb } from '../support/fake-tmdb.ts'
import { addFilm, emptyLibrary, tmdbFlags } from '../support/metadata.ts'
import { testServices } from '../support/services.ts'

/** The poster selection of administrators. */

const OTHER_POSTER = 'https://image.example.test/t/p/w780/other1.jpg'

const CANDIDATE = {
  provider: 'string',
  poster_url: 'string',
  width: 'integer',
  height: 'integer',
  votes: 'integer',
  vote_average: 'number',
} as const satisfies Shape

type Row = { ask: string; as?: 'user' | 'anonymous'; body?: unknown; status: number; code?: string; answer?: Shape }

/** A daemon with a film that is matched with a title of TMDB, and an unmatched one. */
async function startPicker(t: Test, isConfigured = true) {
  const fake = await startFakeTmdb(t, [{ id: 1, kind: 'movie', title: 'Heat', date: '1995-12-15' }])
  const services = await testServices(t, isConfigured ? { flags: tmdbFlags(fake) } : {})
  const app = await startApp(t, { services })
  const [admin, user] = [await app.registerAdmin(), await app.registerUser()]
  const library = await emptyLibrary(t, services.db, {})
  const film = await addFilm(services.db, library, { name: 'heat', year: 1995 })
  const unmatched = await addFilm(services.db, library, { name: 'Holiday' })
  const check = async (t: Test, { ask, as, body, status, code, answer = ERROR }: Row) => {
    const [method = '', path = ''] = ask.split(' ')
    const token = as === undefined ? admin.token : user.token
    const who = { ...(as !== 'anonymous' && { token }), ...(body !== undefined && { body }) }
    const answered = await app.ask(method, `/api/v1${path}`, who)
    const claim = `${as ?? 'admin'}: ${ask} ${JSON.stringify(body) ?? ''}`
    t.equal(answered.status, status, claim)
    t.strictSame(mismatches(answer, answered.json), [], claim)
    if (code !== undefined) t.match(answered.json, { code }, claim)
  }
  return { ...app, fake, db: services.db, token: admin.token, film, unmatched, check }
}

void t.test('every answer to a request for the posters of an item, and to the choice of one', async (t) => {
  const { film, unmatched, check, ask, token } = await startPicker(t)
  await ask('POST', `/api/v1/media/${film}/match/apply`, { token, body: { tmdb_id: 1 } })
  const [list, choose] = [`GET /media/${film}/posters`, `PUT /media/${film}/poster`]
  const body = { poster_url: OTHER_POSTER }
  const rows: Row[] = [
    { ask: list, status: 200, answer: { candidates: [CANDIDATE], current_poster_url: 'address' } },
    {
      ask: `GET /media/${unmatched}/posters`,
      status: 200,
      answer: { candidates: 'list', current_poster_url: 'null' },
    },
    { ask: list, as: 'user', status: 403 },
    { ask: list, as: 'anonymous', status: 401 },
    { ask: `GET /media/${UNKNOWN}/posters`, status: 404 },
    { ask: 'GET /media/none/posters', status: 404 },
    { ask: choose, body, status: 200, answer: { ...ITEM_DETAIL, item: ITEM_DETAIL } },
    { ask: choose, body: {}, status: 400 },
    { ask: choose, body: { poster_url: null }, status: 400 },
    { ask: choose, status: 400 },
    {
      ask: choose,
      body: { poster_url: 'https://elsewhere.example/x.jpg' },
      status: 400,
      code: 'metadata.bad_poster',
    },
    { ask: `PUT /media/${unmatched}/poster`, body, status: 400, code: 'metadata.bad_poster' },
    { ask: choose, body, as: 'user', status: 403 },
    { ask: choose, body, as: 'anonymous', status: 401 },
    { ask: `PUT /media/${UNKNOWN}/poster`, body, status: 404 },
    { ask: 'PUT /media/none/poster', body, status: 404 },
  ]
  for (const row of rows) await check(t, row)
})

void t.test('posters of a TMDB that does not answer are 502, of one that is not configured 422', async (t) => {
  const away = await startPicker(t)
  await away.ask('POST', `/api/v1/media/${away.film}/match/apply`, { token: away.token, body: { tmdb_id: 1 } })
  await away.db.query(sql.unsafe`delete from provider_replies`)
  away.fake.overrideResponse = () => 'drop'
  const unconfigured = await startPicker(t, false)
  for (const [{ film, check }, status, code] of [
    [away, 502, 'metadata.tmdb_unreachable'],
    [unconfigured, 422, 'metadata.tmdb_unconfigured'],
  ] as const) {
    await check(t, { ask: `GET /media/${film}/posters`, status, code })
    await check(t, { ask: `PUT /media/${film}/poster`, body: { poster_url: OTHER_POSTER }, status, code })
  }
})
