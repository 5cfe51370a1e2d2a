import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { sql } from 'slonik'
import t from 'tap'
import { createAccount } from '../../../../src/core/accounts/index.ts'
import { pick, startApp, type Ask } from '../../../support/app.ts'
import { scanAudiobookLibrary } from '../../../support/audiobook-library.ts'
import { cbzOf, epubOf } from '../../../support/book-files.ts'
import { makeItems } from '../../../support/catalogue-items.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const EPUB = epubOf(
  '<dc:title>Solaris</dc:title><dc:creator>Stanisław Lem</dc:creator><dc:publisher>MON</dc:publisher><dc:description>A sea.</dc:description>',
)

const server = await startApp(t)
const { services, ask } = server
const { account, token } = await server.registerUser()
const cover = await sharp({ create: { width: 60, height: 90, channels: 3, background: 'red' } })
  .jpeg()
  .toBuffer()
const { idOf, library } = await scanAudiobookLibrary(t, services, {
  type: 'book',
  fill: (root) => {
    writeFileSync(join(root, 'Sölaris "2" 50%.epub'), EPUB)
    writeFileSync(join(root, 'Sölaris "2" 50%.pdf'), '%PDF-1.4 the same')
    writeFileSync(join(root, 'Sölaris "2" 50%.jpg'), cover)
    writeFileSync(join(root, 'Comic.cbz'), cbzOf(24, '<Title>Comic</Title>'))
  },
})
const [solaris = '', comic = ''] = ['Solaris', 'Comic'].map((name) => idOf.get(name))
const addressOf = (path: string): string => `/api/v1/books${/^(?:$|\?)/.test(path) ? '' : '/'}${path}`
const get = (path: string, more: Ask = {}) => ask('GET', addressOf(path), { token, ...more })
const save = (id: string, body: unknown) => ask('POST', `/api/v1/books/${id}/progress`, { token, body })

const ROW = 'id library_id name type year path format size_bytes metadata cover_url read_url download_url'
const signed = (path: string) => new RegExp(`^/api/v1/books/${path}\\?exp=\\d+&sig=[\\w-]{88}$`)

void t.test('the list has one row for each book, with the keys that clients read', async (t) => {
  const { status, json } = await get('')
  t.equal(status, 200)
  t.strictSame(Object.keys(json as object), ['books', 'limit', 'offset'])
  t.match(json, { limit: 50, offset: 0, books: [{ name: 'Comic' }, { name: 'Solaris' }] })
  const row = pick(json, 'books', 1) as Record<string, unknown>
  t.equal(Object.keys(row).join(' '), ROW)
  t.match(row, {
    id: solaris,
    library_id: library.id,
    type: 'book',
    path: 'Sölaris "2" 50%.epub',
    format: 'epub',
    size_bytes: EPUB.length,
    metadata: { author: 'Stanisław Lem', publisher: 'MON', page_count: null, isbn: null, description: 'A sea.' },
    cover_url: /^\/api\/v1\/artwork\//,
    read_url: signed(`${solaris}/read`),
    download_url: signed(`${solaris}/download`),
  })
  t.match(pick(json, 'books', 0), { format: 'cbz', metadata: { page_count: 24, author: null } })
  t.match((await get(`?library_id=${library.id}&limit=1&offset=1`)).json, { books: [{ name: 'Solaris' }], limit: 1 })
  t.match((await get(`?library_id=${UNKNOWN}&limit=500`)).json, { books: [], limit: 100 })
  t.match(await get('?library_id=mine'), { status: 400, json: { code: 'invalid_request', field: 'library_id' } })
})

void t.test('the detail names every format, and each can be downloaded', async (t) => {
  const { book } = (await get(solaris)).json as { book: Record<string, unknown> }
  t.equal(Object.keys(book).join(' '), `${ROW} formats`)
  t.match(book['formats'], [
    { id: solaris, format: 'epub' },
    { format: 'pdf', size_bytes: 17 },
  ])
  const other = await ask('GET', String(pick(book, 'formats', 1, 'download_url')))
  t.match(other, { status: 200, text: '%PDF-1.4 the same' })
  t.equal(other.headers.get('content-type'), 'application/pdf')
})

void t.test('a download is an attachment under its name, also in parts', async (t) => {
  const whole = await fetch(`${server.baseUrl}/api/v1/books/${solaris}/download`, {
    headers: { authorization: `Bearer ${token}` },
  })
  t.ok(EPUB.equals(Buffer.from(await whole.arrayBuffer())))
  t.equal(whole.headers.get('content-type'), 'application/epub+zip')
  t.equal(
    whole.headers.get('content-disposition'),
    `attachment; filename="S_laris _2_ 50_.epub"; filename*=UTF-8''S%C3%B6laris%20%222%22%2050%25.epub`,
  )
  const part = await get(`${comic}/download`, { headers: { range: 'bytes=0-1' } })
  t.match(part, { status: 206, text: 'PK' })
  t.equal(part.headers.get('content-disposition'), 'attachment; filename="Comic.cbz"')
  t.equal(part.headers.get('content-type'), 'application/vnd.comicbook+zip')
  t.equal((await get(`${comic}/download`, { headers: { range: 'bytes=999999-' } })).status, 416)
})

void t.test('the cover is a picture, and a book without a cover answers 404', async (t) => {
  const answer = await get(`${solaris}/cover`)
  t.strictSame([answer.status, answer.headers.get('content-type')], [200, 'image/jpeg'])
  t.match(answer.headers.get('cache-control'), /^private/, 'not for caches that others share (BR-04)')
  t.match(
    await get(`${comic}/cover`),
    { status: 404, json: { code: 'artwork_not_found' } },
    'its pages are no pictures',
  )
})

void t.test('a position is saved and read, with the keys at the top level and under progress', async (t) => {
  t.match(await get(`${comic}/progress`), { status: 404, json: { code: 'book_progress_not_found' } })
  t.match((await get(`${comic}/read`)).json, { current_page: 0, total_pages: 24, progress: null, chapters: [] })
  const saved = await save(comic, { current_page: 6, position_ms: 12, user_id: UNKNOWN, chapters: [] })
  const progress = {
    book_id: comic,
    user_id: account.id,
    position_ms: 12,
    current_page: 6,
    total_pages: 24,
    percent_complete: 25,
    locator: null,
    last_read_at: pick(saved.json, 'progress', 'last_read_at'),
  }
  t.ok(Number.isInteger(progress.last_read_at))
  t.strictSame(saved.json, { ok: true, percent_complete: 25, message: 'Progress updated', progress })
  t.strictSame((await get(`${comic}/progress`)).json, { ...progress, progress })
  const { json } = await get(`${comic}/read`)
  t.equal(Object.keys(json as object).join(' '), 'book chapters current_page total_pages progress')
  t.match(json, { book: { id: comic, formats: { length: 1 } }, current_page: 6, total_pages: 24, progress })
  for (const [body, wanted] of [
    [
      { current_page: 3, total_pages: 300, percent_complete: 1.005 },
      { total_pages: 300, percent_complete: 1 },
    ],
    [{ current_page: 999 }, { current_page: 24, total_pages: 24, percent_complete: 100 }],
    [{ percent_complete: 33.333 }, { current_page: 0, percent_complete: 33.33 }],
    [{ position_ms: Number.MAX_SAFE_INTEGER }, { position_ms: Number.MAX_SAFE_INTEGER, percent_complete: 0 }],
  ] as const) {
    t.match(await save(comic, body), { status: 200, json: { progress: wanted } }, JSON.stringify(body))
  }
  t.match(await save(solaris, { current_page: 7 }), { json: { progress: { total_pages: 0, percent_complete: 0 } } })
})

void t.test('a point in the text is kept as it was sent, until a report without one', async (t) => {
  for (const locator of ['epubcfi(/6/4!/4/2/1:3[xx,y])', '\u202e<b>"%00', 'ص ١٢\u200d', '😀'.repeat(2000)]) {
    t.match(await save(solaris, { percent_complete: 12, locator }), { status: 200, json: { progress: { locator } } })
    t.match((await get(`${solaris}/progress`)).json, { locator, percent_complete: 12, progress: { locator } })
    t.match((await get(`${solaris}/read`)).json, { progress: { locator } })
  }
  t.match(await save(solaris, { locator: 'epubcfi(/6/4)' }), { status: 400 }, 'not without a progress')
  t.match(await save(solaris, { percent_complete: 13 }), { json: { progress: { locator: null } } })
  t.match((await get(`${solaris}/progress`)).json, { locator: null, percent_complete: 13 })
})

void t.test('an invalid position names its field, and nothing is written', async (t) => {
  const before = (await get(`${comic}/progress`)).json
  for (const [field, values] of [
    ['position_ms', [null, '2', true, [2], 2.5, -1, 2 ** 53, 1e300]],
    ['current_page', [null, '2', true, [2], 2.5, -1, 1e9 + 1]],
    ['total_pages', [null, '2', -1, 1e9 + 1]],
    ['percent_complete', [null, '50', true, -0.1, 100.1, 1e300]],
    ['locator', [null, '', 7, ['a'], {}, 'a\0b', 'a\nb', '\u007f', '\ud800', 'a'.repeat(2001)]],
  ] as const) {
    for (const value of values) {
      const answer = await save(comic, { current_page: 1, [field]: value })
      t.match(answer, { status: 400, json: { code: 'invalid_request', field } }, `${field} ${JSON.stringify(value)}`)
    }
  }
  for (const body of [{}, { total_pages: 5 }, { page: 1 }, [], '"x"', 'null']) {
    t.match(await save(comic, body), { status: 400, json: { code: 'invalid_request' } }, JSON.stringify(body))
  }
  t.match(await save(comic, '{"percent_complete":1e400}'), { status: 400, json: { field: 'percent_complete' } })
  t.strictSame((await get(`${comic}/progress`)).json, before)
})

void t.test('a user cannot see another user’s position, also with a signed URL (AZ-10)', async (t) => {
  await save(comic, { current_page: 5 })
  const input = { username: 'other', email: 'other@example.test', password: 'correct horse', isAdmin: true }
  const other = { token: await server.signIn((await createAccount(services, input)).id) }
  const path = `/api/v1/books/${comic}/progress`
  t.equal((await ask('GET', path, other)).status, 404)
  t.equal((await ask('POST', path, { ...other, body: { current_page: 20 } })).status, 200)
  t.match((await get(`${comic}/progress`)).json, { current_page: 5 })
  t.match((await get(`${comic}/read`, other)).json, { current_page: 20 })
  const { read_url: address } = pick((await get(comic)).json, 'book') as Record<string, string>
  t.match((await ask('GET', String(address))).json, { current_page: 0, progress: null })
  t.match((await ask('GET', String(address), { token })).json, { current_page: 5, progress: { user_id: account.id } })
  t.match((await ask('GET', String(address), other)).json, { current_page: 20 })
  t.match(await ask('GET', String(address), { token: 'a.b.c' }), { status: 200, json: { progress: null } })
})

void t.test('a signature alone leads to no address that is good for longer than itself (SU-12)', async (t) => {
  const path = `/api/v1/books/${solaris}/read`
  const { exp, sig } = services.signer.sign(path, 60)
  const ends = ({ text }: { text: string }) => [...text.matchAll(/[?&]exp=(\d+)/g)].map(([, end]) => Number(end))
  const address = `${path}?exp=${exp}&sig=${sig}`
  const alone = await ask('GET', address)
  t.strictSame(ends(alone), [exp, exp, exp, exp, exp], 'cover, read, download and both formats')
  t.equal((await ask('GET', String(pick(alone.json, 'book', 'formats', 1, 'download_url')))).status, 200)
  t.equal((await ask('GET', String(pick(alone.json, 'book', 'cover_url')))).status, 200)
  t.strictSame(ends(await ask('GET', String(pick(alone.json, 'book', 'read_url')))), ends(alone))
  const signedIn = ends(await ask('GET', address, { token }))
  t.ok(signedIn.length === 5 && signedIn.every((end) => end > exp + 3600), 'who is signed in gets new ones')
})

void t.test('other items are 404, missing tokens 401, and a path outside of the library 403 (FN-07)', async (t) => {
  const [film = '', listened = ''] = await makeItems(services.db, t.testdir(), [{}, { type: 'audiobook' }])
  const actions = ['', '/cover', '/download', '/read', '/progress']
  for (const id of [film, listened, UNKNOWN, '1', '%00', "x'%20or%201=1"]) {
    for (const action of actions) {
      const wanted = { status: 404, json: { error: 'Book not found', code: 'book_not_found' } }
      t.match(await get(`${id}${action}`), wanted, `${id}${action}`)
    }
    t.match(await save(id, { current_page: 1 }), { status: 404, json: { code: 'book_not_found' } })
  }
  for (const action of actions) {
    t.match(
      await ask('GET', `/api/v1/books/${comic}${action}`),
      { status: 401, json: { code: 'auth.required' } },
      action,
    )
  }
  t.match(await ask('GET', '/api/v1/books'), { status: 401 })
  t.match(await ask('POST', `/api/v1/books/${comic}/progress`, { body: { current_page: 1 } }), { status: 401 })
  const secret = join(t.testdir({ 'secret.pdf': 'not for you' }), 'secret.pdf')
  await services.db.query(sql.unsafe`update media_items set path = ${secret} where id = ${comic}`)
  const answer = await get(`${comic}/download`)
  t.match(answer, { status: 403, json: { code: 'path_outside_root' } })
  t.equal(answer.headers.get('content-disposition'), null, 'an error is no attachment')
  t.ok(readFileSync(secret).length > 0)
})
