import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import { runScanJob } from '../../../../src/core/scanning/index.ts'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import { scanAgain } from '../../../support/scan-library.ts'

const never = new AbortController().signal

void t.test('an administrator clears pictures, and empties a library', async (t) => {
  const { ask, services, registerAdmin, registerUser } = await startApp(t)
  const [{ token }, user] = [await registerAdmin(), await registerUser()]
  const { library, items } = await scanFilms(t, services, {
    'A film (1999).mp4': 'film-tiny-mp4',
    'B film (2000).mp4': 'film-tiny-mp4',
  })
  const id = items[0]?.id ?? ''
  const path = `/api/v1/libraries/${library.id}`
  const finish = async (answer: { json: unknown }) =>
    runScanJob(services, { scanJobId: String(pick(answer.json, 'job_id')), whenAborted: 'cancel' }, never)
  const detail = async () => (await ask('GET', `/api/v1/media/${id}`, { token })).json
  await services.db.query(sql.unsafe`
    insert into provider_artwork (media_item_id, kind, url) values (${id}, 'poster', 'https://images.example/a.jpg')`)
  await services.db.query(sql.unsafe`
    update media_items set chosen_poster_url = 'https://images.example/a.jpg',
      metadata = '{"overview": "Told", "poster_url": "https://images.example/a.jpg"}' where id = ${id}`)
  t.match(pick(await detail(), 'poster_url'), /artwork/)

  await t.test('clear-artwork removes the pictures of providers and keeps their other values', async (t) => {
    const queued = await ask('POST', `${path}/clear-artwork`, { token })
    t.match(queued, { status: 202, json: { status: 'queued', message: 'Artwork clearing queued' } })
    t.match(await finish(queued), { type: 'clear_artwork', status: 'completed', itemsFound: 2, itemsUpdated: 2 })
    const cleared = await detail()
    t.match(cleared, { poster_url: /-still-/, overview: 'Told' }, 'a frame stands for the poster')
    t.notOk(Object.hasOwn(pick(cleared, 'metadata') as object, 'poster_url'))
    const chosen = await services.db.oneFirst(sql.unsafe`select chosen_poster_url from media_items where id = ${id}`)
    t.equal(chosen, null)
  })

  await t.test('delete-all is confirmed, keeps the library, and a scan finds the files again', async (t) => {
    const refused = { status: 400, json: { error: 'confirm must be true', code: 'confirmation_required' } }
    t.match(await ask('POST', `${path}/delete-all`, { token }), refused)
    t.match(await ask('POST', `${path}/delete-all?confirm=false`, { token, body: { confirm: false } }), refused)
    t.match(await ask('POST', `${path}/delete-all`, { token, body: { confirm: 'true' } }), { status: 400 })
    const queued = await ask('POST', `${path}/delete-all?confirm=true`, { token, body: { confirm: true } })
    t.match(queued, { status: 202, json: { message: 'Deletion of all items queued' } })
    const again = await ask('POST', `${path}/delete-all`, { token, body: { confirm: true } })
    t.equal(pick(again.json, 'job_id'), pick(queued.json, 'job_id'), 'the body alone is enough')
    t.match(await finish(queued), { type: 'delete_all', status: 'completed', itemsFound: 2, itemsRemoved: 2 })
    t.match((await ask('GET', path, { token })).json, { library: { item_count: 0 } })
    t.match((await ask('GET', `/api/v1/media?libraryId=${library.id}`, { token })).json, { total: 0 })
    await scanAgain(services, library.id)
    t.match((await ask('GET', path, { token })).json, { library: { item_count: 2 } }, 'no file was touched')
  })

  await t.test('others may not, and an unknown library is 404 also without a confirmation', async (t) => {
    for (const name of ['clear-artwork', 'delete-all?confirm=true']) {
      t.match(await ask('POST', `${path}/${name}`, { token: user.token }), {
        status: 403,
        json: { code: 'auth.not_admin' },
      })
      t.equal((await ask('POST', `${path}/${name}`)).status, 401)
      for (const library of [randomUUID(), 'none']) {
        t.match(await ask('POST', `/api/v1/libraries/${library}/${name}`, { token }), {
          json: { code: 'library_not_found' },
        })
      }
    }
    t.match(await ask('POST', `/api/v1/libraries/none/delete-all`, { token }), { status: 404 })
  })
})
