import t from 'tap'
import { createProfile } from '../../../../src/core/profiles/index.ts'
import { plant, type Kind } from '../../../support/access-canaries.ts'
import { pick, startApp } from '../../../support/app.ts'

void t.test('each profile has a watching state of its own, of every kind', async (t) => {
  const app = await startApp(t)
  const { account, token: main } = await app.registerUser()
  const { db } = app.services
  const { id } = await createProfile(app.services, { accountId: account.id, fields: { name: 'Second' } })
  const second = await app.signIn(account.id, id)
  const item = async (kind: Kind): Promise<string> =>
    (await plant(db, kind, { word: `zq${kind}`, rating: 'G', ownerId: account.id, day: 1 })).itemId
  const [film, book, audiobook] = [await item('movie'), await item('book'), await item('audiobook')]
  const ask = (token: string, method: string, path: string, body?: unknown) =>
    app.ask(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) })

  const started = await ask(main, 'POST', '/sessions', {})
  const session = String(pick(started.json, 'session_id') ?? pick(started.json, 'id'))
  const progress = { media_item_id: film, position_ticks: 600_000_000, duration_ticks: 9_000_000_000, is_paused: false }
  t.equal((await ask(main, 'POST', `/sessions/${session}/progress`, progress)).status < 300, true)
  t.equal((await ask(main, 'POST', `/media/${film}/favorite`)).status, 200)
  t.equal((await ask(main, 'PUT', `/media/${film}/rating`, { rating: 9 })).status, 200)
  t.equal((await ask(main, 'PUT', '/users/me/settings', { theme: 'dark' })).status, 200)
  const page = { position_ms: 5, current_page: 3, total_pages: 9, percent_complete: 30 }
  t.equal((await ask(main, 'POST', `/books/${book}/progress`, page)).status, 200)
  const chapter = { position_ms: 5, current_chapter_index: 0, percent_complete: 1 }
  t.equal((await ask(main, 'POST', `/audiobooks/${audiobook}/progress`, chapter)).status, 200)

  const stateOf = async (token: string) => ({
    resume: pick((await ask(token, 'GET', '/me/continue-watching')).json, 'items') as unknown[],
    history: (await ask(token, 'GET', '/me/history')).text.includes(film),
    favourite: (await ask(token, 'GET', '/users/me/favorites')).text.includes(film),
    rating: pick((await ask(token, 'GET', `/media/${film}`)).json, 'user_data', 'rating'),
    theme: pick((await ask(token, 'GET', '/users/me/settings')).json, 'settings', 'theme'),
    page: (await ask(token, 'GET', `/books/${book}/progress`)).status,
    chapter: (await ask(token, 'GET', `/audiobooks/${audiobook}/progress`)).status,
    sessions: (await ask(token, 'GET', '/me/sessions')).text.includes(session),
  })
  const [first, other] = [await stateOf(main), await stateOf(second)]
  t.match(first, { history: true, favourite: true, rating: 9, theme: 'dark', page: 200, chapter: 200, sessions: true })
  t.match(first.resume, [{}])
  t.match(other, { history: false, favourite: false, page: 404, chapter: 404, sessions: false })
  t.strictSame(other.resume, [])
  t.not(other.rating, 9)
  t.not(other.theme, 'dark')
  t.equal(
    (await ask(second, 'POST', `/sessions/${session}/progress`, progress)).status,
    403,
    'a session is of its profile',
  )
  await ask(second, 'DELETE', '/users/me/history')
  t.match(await stateOf(main), { history: true })
})
