import { sql } from 'slonik'
import t from 'tap'
import { startApp } from '../../../support/app.ts'
import { addFilm, emptyLibrary } from '../../../support/metadata.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

void t.test('…/media/{id}/ratings', async (t) => {
  const app = await startApp(t)
  const { db } = app.services
  const [{ token }, { token: other }] = [await app.registerAdmin(), await app.registerUser()]
  const library = await emptyLibrary(t, db, { name: 'Films' })
  const id = await addFilm(db, library, { name: 'film', localMetadata: { vote_average: 9, vote_count: 3 } })
  const path = `/api/v1/media/${id}/ratings`
  const say = (metadata: string) =>
    db.query(sql.unsafe`update media_items set metadata = ${metadata}::jsonb where id = ${id}`)
  const read = async () => (await app.ask('GET', path, { token })).json

  await t.test('lists the scores of the provider, the NFO file and the accounts, and the mean', async (t) => {
    await say('{"vote_average": 7.46, "vote_count": 1234}')
    t.match(await app.ask('POST', path, { token, body: { score: 6 } }), {
      status: 200,
      json: { message: 'Rating saved' },
    })
    await app.ask('POST', path, { token: other, body: { score: 9 } })
    t.strictSame(await read(), {
      item_id: id,
      ratings: [
        { id: 'tmdb', source: 'tmdb', type: 'audience', score: 7.5, votes: 1234 },
        { id: 'nfo', source: 'nfo', type: 'audience', score: 9, votes: 3 },
        { id: 'users', source: 'users', type: 'user', score: 7.5, votes: 2 },
      ],
      aggregate_score: 8,
    })
    t.match(
      (await app.ask('GET', `/api/v1/media/${id}`, { token })).json,
      { user_data: { rating: 6 } },
      'it is the rating',
    )
  })

  await t.test('a score is taken back by DELETE and by null; without any there is no mean', async (t) => {
    await db.query(sql.unsafe`update media_items set local_metadata = '{}', metadata = '{}' where id = ${id}`)
    t.match(await app.ask('DELETE', path, { token }), { status: 200, json: { message: 'Rating removed' } })
    await app.ask('POST', path, { token: other, body: { score: null } })
    t.strictSame(await read(), { item_id: id, ratings: [], aggregate_score: null })
  })

  await t.test('numbers that are no scores are left out', async (t) => {
    for (const metadata of [
      '{"vote_average": -1}',
      '{"vote_average": 11, "vote_count": 1}',
      '{"vote_average": 1e300}',
      '{"vote_average": "7"}',
      '{"vote_average": null}',
      '{"vote_average": [7]}',
    ]) {
      await say(metadata)
      t.match(await read(), { ratings: { length: 0 }, aggregate_score: null }, metadata)
    }
    await say('{"vote_average": 5e-324, "vote_count": 1e300}')
    t.match(await read(), { ratings: [{ score: 0, votes: null }], aggregate_score: 0 })
  })

  await t.test('an invalid score is 400 with its field, an unknown item 404, a missing token 401', async (t) => {
    for (const score of [0, 11, 5.5, '5', true, [5], {}]) {
      const answer = await app.ask('POST', path, { token, body: { score } })
      t.match(answer, { status: 400, json: { code: 'invalid_request', field: 'score' } }, JSON.stringify(score))
    }
    t.equal((await app.ask('POST', path, { token, body: {} })).status, 400)
    for (const item of [UNKNOWN, 'x']) {
      for (const [method, body] of [['GET'], ['POST', { score: 5 }], ['DELETE']] as const) {
        const answer = await app.ask(method, `/api/v1/media/${item}/ratings`, {
          token,
          ...(body === undefined ? {} : { body }),
        })
        t.match(answer, { status: 404, json: { code: 'media_item_not_found' } })
      }
    }
    t.match(await app.ask('GET', path), { status: 401, json: { code: 'auth.required' } })
  })
})
