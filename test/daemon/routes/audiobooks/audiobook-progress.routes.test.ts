import t, { type Test } from 'tap'
import { createAccount } from '../../../../src/core/accounts/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { scanAudiobookLibrary } from '../../../support/audiobook-library.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { putAudio } from '../../../support/tagged-audio.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

async function setup(t: Test) {
  const app = await startApp(t)
  const { account, token } = await app.registerUser()
  const chapters = [0, 100, 200, 300].map((start) => ({ startSeconds: start, endSeconds: start + 100, title: null }))
  const book = { type: 'audiobook', chapters, durationSeconds: 400 } as const
  const [id = '', film = ''] = await makeItems(app.services.db, t.testdir(), [book, {}])
  const get = (item = id) => app.ask('GET', `/api/v1/audiobooks/${item}/progress`, { token })
  const save = (body: unknown, item = id) => app.ask('POST', `/api/v1/audiobooks/${item}/progress`, { token, body })
  return { ...app, account, token, id, film, get, save }
}

void t.test('a position is saved and read, with the keys of the contract and of the clients', async (t) => {
  const { account, id, get, save } = await setup(t)
  t.match(await get(), { status: 404, json: { code: 'audiobook_progress_not_found' } })
  const sent = {
    position_ms: 50_000,
    current_chapter_index: 2,
    completed_chapters: [3],
    percent_complete: 99,
    user_id: UNKNOWN,
  }
  const saved = await save(sent)
  t.equal(saved.status, 200)
  const progress = {
    audiobook_id: id,
    user_id: account.id,
    position_ms: 50_000,
    chapter_position_ms: 50_000,
    book_position_ms: 250_000,
    current_chapter_index: 2,
    completed_chapters: [0, 1],
    percent_complete: 62.5,
    last_played_at: pick(saved.json, 'progress', 'last_played_at'),
  }
  t.ok(Number.isInteger(progress.last_played_at))
  t.strictSame(saved.json, { ok: true, percent_complete: 62.5, message: 'Progress updated', progress })
  t.strictSame((await get()).json, { ...progress, progress })
  t.match((await save({ position_ms: 100_000, current_chapter_index: 3 })).json, { percent_complete: 100 })
  t.match((await get()).json, { completed_chapters: [0, 1, 2, 3], progress: { completed_chapters: [0, 1, 2, 3] } })
})

void t.test(
  'a client that counts from the start of the book reads back what it saved, and so does one of the chapter',
  async (t) => {
    const { ask, id, token, get, save } = await setup(t)
    const read = async () => {
      const { json } = await ask('GET', `/api/v1/audiobooks/${id}/read`, {
        token,
        headers: { accept: 'application/json' },
      })
      return pick(json, 'progress')
    }
    const whole = { position_ms: 250_000, current_chapter_index: 2 }
    const both = {
      chapter_position_ms: 50_000,
      book_position_ms: 250_000,
      completed_chapters: [0, 1],
      percent_complete: 62.5,
    }
    t.match((await save({ ...whole, percent_complete: 62.5 })).json, { progress: { ...whole, ...both } })
    t.match((await get()).json, { ...whole, ...both, progress: { ...whole, ...both } })
    t.match(await read(), { ...whole, ...both })
    const inChapter = { position_ms: 50_000, current_chapter_index: 2 }
    t.match((await save(inChapter)).json, { progress: { ...inChapter, ...both } })
    t.match((await get()).json, { ...inChapter, ...both, progress: { ...inChapter, ...both } })
    t.match(await read(), { ...whole, ...both }, 'players of the whole book are told where in it')
    for (const percent of ['62.5', null, {}, [1], -5, 1e300]) {
      t.equal((await save({ ...inChapter, percent_complete: percent })).status, 200, 'what says nothing harms nothing')
    }
  },
)

void t.test('a book whose file was replaced by one without chapters resumes at the same position', async (t) => {
  const { ask, services, token } = await setup(t)
  const marks = [0, 4, 8].map((start) => ({ startSeconds: start, endSeconds: start + 4, title: `At ${start}` }))
  const { idOf, folder, scan } = await scanAudiobookLibrary(t, services, {
    type: 'audiobook',
    fill: async (root) => void (await putAudio(root, 'Solaris.m4b', { chapters: marks, seconds: 12 })),
  })
  const address = `/api/v1/audiobooks/${idOf.get('Solaris') ?? ''}`
  const body = { position_ms: 1000, current_chapter_index: 2 }
  const saved = await ask('POST', `${address}/progress`, { token, body })
  t.match(saved.json, { progress: { completed_chapters: [0, 1] } })
  const percent = Number(pick(saved.json, 'percent_complete'))
  await putAudio(folder, 'Solaris.m4b', { seconds: 12, hertz: 500 })
  await scan()
  const read = await ask('GET', `${address}/read`, { token, headers: { accept: 'application/json' } })
  t.equal(pick(read.json, 'audiobook', 'chapters', 'length'), 1)
  const progress = (await ask('GET', `${address}/progress`, { token })).json
  t.match(progress, { current_chapter_index: 0, completed_chapters: [] })
  t.ok(Math.abs(Number(pick(progress, 'position_ms')) - 9000) < 100, JSON.stringify(progress))
  t.ok(Math.abs(Number(pick(progress, 'percent_complete')) - percent) < 0.1)
  const opened = { ...(pick(progress, 'progress') as object), position_ms: pick(progress, 'book_position_ms') }
  t.strictSame(pick(read.json, 'progress'), opened)
})

void t.test('an invalid position names its field, and nothing is coerced', async (t) => {
  const { get, save } = await setup(t)
  const right = { position_ms: 5, current_chapter_index: 1 }
  for (const [field, values] of [
    ['position_ms', [undefined, null, '2', true, [2], {}, 2.5, -1, 2 ** 53, 1e300]],
    ['current_chapter_index', [undefined, null, '2', true, [2], {}, 0.5, -1, 4, 2 ** 31, 2 ** 53, 1e300]],
  ] as const) {
    for (const value of values) {
      const answer = await save({ ...right, [field]: value })
      t.match(answer, { status: 400, json: { code: 'invalid_request', field } }, `${field} ${JSON.stringify(value)}`)
    }
  }
  t.match(await save('{"position_ms":1e400,"current_chapter_index":0}'), {
    status: 400,
    json: { field: 'position_ms' },
  })
  t.equal((await get()).status, 404, 'nothing was written')
  const largest = await save({ position_ms: Number.MAX_SAFE_INTEGER, current_chapter_index: 0 })
  const end = { position_ms: 400_000, current_chapter_index: 3, percent_complete: 100 }
  t.match(largest, { status: 200, json: { progress: end } }, 'beyond the end of the book')
})

void t.test('other items are 404, positions of other users are hidden, missing tokens are 401', async (t) => {
  const { ask, services, signIn, id, film, get, save } = await setup(t)
  const body = { position_ms: 5, current_chapter_index: 1 }
  const missing = { status: 404, json: { error: 'Audiobook not found', code: 'audiobook_not_found' } }
  for (const item of [film, UNKNOWN, '1', '%00', "x'%20or%201=1"]) {
    t.match(await get(item), missing, item)
    t.match(await save(body, item), missing, item)
  }
  await save(body)
  const input = { username: 'other', email: 'other@example.test', password: 'correct horse', isAdmin: true }
  const other = { token: await signIn((await createAccount(services, input)).id) }
  const path = `/api/v1/audiobooks/${id}/progress`
  t.match(await ask('GET', path, other), { status: 404, json: { code: 'audiobook_progress_not_found' } })
  t.match(await ask('POST', path, { ...other, body: { ...body, current_chapter_index: 3 } }), { status: 200 })
  t.match((await get()).json, { current_chapter_index: 1 })
  t.equal((await ask('GET', path)).status, 401)
  t.equal((await ask('POST', path, { body })).status, 401)
})
