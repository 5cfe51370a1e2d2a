import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'

const LISTS = ['continue_watching', 'next_up', 'continue_listening', 'continue_reading', 'recently_added', 'favorites']

void t.test('the start page has all rows of a user in one reply, each as its own route answers it', async (t) => {
  const { ask, registerAdmin, registerUser, services } = await startApp(t)
  const [{ token }, other] = [await registerAdmin(), await registerUser()]
  const folder = t.testdir()
  const films = await makeItems(services.db, folder, [{}, {}, {}])
  const [audiobook = '', finished = ''] = await makeItems(services.db, folder, [
    { type: 'audiobook', path: `${folder}/a.m4b` },
    { type: 'audiobook', path: `${folder}/b.m4b` },
  ])
  const [book = '', closed = ''] = await makeItems(services.db, folder, [
    { type: 'book', path: `${folder}/a.epub` },
    { type: 'book', path: `${folder}/b.epub` },
  ])
  const act = async (path: string, body: object = {}): Promise<unknown> => {
    const answer = await ask('POST', `/api/v1${path}`, { token, body })
    t.ok(answer.status < 300, `${path} ${answer.text}`)
    return answer.json
  }
  const session = String(pick(await act('/sessions'), 'session_id'))
  const report = { media_item_id: films[0], position_ticks: 250_000_000, duration_ticks: 1_000_000_000 }
  await act(`/sessions/${session}/progress`, report)
  await act(`/media/${films[1]}/favorite`)
  await act(`/audiobooks/${audiobook}/progress`, { position_ms: 30_000, current_chapter_index: 0 })
  await act(`/audiobooks/${finished}/progress`, { position_ms: 100_000, current_chapter_index: 0 })
  await act(`/books/${book}/progress`, { current_page: 20, total_pages: 80 })
  await act(`/books/${closed}/progress`, { percent_complete: 100 })

  const home = await ask('GET', '/api/v1/me/home', { token })
  t.equal(home.status, 200, home.text)
  const get = async (path: string, ...key: string[]): Promise<unknown> =>
    pick((await ask('GET', `/api/v1${path}`, { token })).json, ...key)
  t.strictSame(pick(home.json, 'continue_watching'), await get('/users/me/continue-watching', 'items'))
  t.strictSame(pick(home.json, 'favorites'), await get('/users/me/favorites', 'items'))
  t.equal((pick(home.json, 'continue_watching') as unknown[]).length, 1)
  t.equal((pick(home.json, 'favorites') as unknown[]).length, 1)
  t.match(pick(home.json, 'continue_listening'), [{ id: audiobook, progress_percent: 30, last_played_at: /^20/ }])
  t.equal((pick(home.json, 'continue_listening') as unknown[]).length, 1, 'a finished book is not continued')
  t.match(pick(home.json, 'continue_reading'), [
    { id: book, progress_percent: 25, current_page: 20, total_pages: 80, last_read_at: /^20/ },
  ])
  t.equal((pick(home.json, 'continue_reading') as unknown[]).length, 1)
  const added = pick(home.json, 'recently_added') as {
    library: { id: string; name: string }
    items: { id: string }[]
  }[]
  t.equal(added.length, 3)
  for (const { library, items } of added) {
    const query = `libraryId=${library.id}&topLevel=1&sort=added&order=desc&include=user_data`
    t.strictSame(items, await get(`/media?${query}`, 'items'), library.name)
  }
  t.strictSame(
    (pick(home.json, 'recommendations') as { id: string }[]).map(({ id }) => id),
    ((await get('/me/recommendations', 'recommendations')) as { id: string }[]).map(({ id }) => id),
  )

  const small = await ask('GET', '/api/v1/me/home?limit=1', { token })
  t.equal(pick(small.json, 'limit'), 1)
  t.equal((pick(small.json, 'recently_added', 0, 'items') as unknown[]).length, 1)
  t.equal(pick((await ask('GET', '/api/v1/me/home?limit=1000', { token })).json, 'limit'), 24)
  t.equal(pick((await ask('GET', '/api/v1/me/home?limit=-1', { token })).json, 'limit'), 1)
  t.match(await ask('GET', '/api/v1/me/home?limit=x', { token }), { status: 400, json: { code: 'invalid_request' } })
  t.equal((await ask('GET', '/api/v1/me/home')).status, 401)

  const theirs = await ask('GET', '/api/v1/me/home', { token: other.token })
  for (const list of LISTS.filter((name) => name !== 'recently_added')) t.strictSame(pick(theirs.json, list), [], list)
  t.notMatch(theirs.text, '"favorite":true')
  t.notMatch(theirs.text, '"position_ticks":250000000')
  t.notMatch(theirs.text, folder, 'no path of the machine')
})

void t.test('the start page of an empty server is empty', async (t) => {
  const { ask, registerUser } = await startApp(t)
  const { token } = await registerUser()
  const home = await ask('GET', '/api/v1/me/home', { token })
  t.equal(home.status, 200)
  for (const list of [...LISTS, 'recommendations']) t.strictSame(pick(home.json, list), [], list)
})
