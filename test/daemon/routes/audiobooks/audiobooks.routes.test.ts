import { readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { pick, startApp, type Ask } from '../../../support/app.ts'
import { scanAudiobookLibrary } from '../../../support/audiobook-library.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { putAudio } from '../../../support/tagged-audio.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const NOT_A_BOOK = ['1', '%00', UNKNOWN, "x'%20or%201=1"]

const server = await startApp(t)
const { services, ask } = server
const { db } = services
const { account, token } = await server.registerUser()
const { idOf, folder, library } = await scanAudiobookLibrary(t, services, {
  type: 'audiobook',
  fill: async (root) => {
    const chapters = [
      { startSeconds: 0, endSeconds: 1, title: 'Opening' },
      { startSeconds: 1, endSeconds: 4, title: ' ' },
    ]
    const tags = { album: 'Solaris', artist: 'Lem', composer: 'A Reader' }
    await putAudio(root, 'Lem/Cycle/Solaris/all.m4b', { tags, chapters, seconds: 4, hasPicture: true })
    for (const part of [1, 2]) await putAudio(root, `Wells/Time/0${part}.mp3`, { seconds: 1 + part, hertz: 300 * part })
    await putAudio(root, 'Plain.ogg')
  },
})
const [solaris = '', time = '', plain = ''] = ['Solaris', 'Time', 'Plain'].map((name) => idOf.get(name))
/** A URL below the list; text that begins with a question mark is the query of the list itself. */
const addressOf = (path: string): string => `/api/v1/audiobooks${/^(?:$|\?)/.test(path) ? '' : '/'}${path}`
const get = (path: string, more: Ask = {}) => ask('GET', addressOf(path), { token, ...more })

const SHARED =
  'id library_id name title author narrator series year duration_secs duration_ms cover_url stream_url read_url metadata'
const SIGNED = (path: string) => new RegExp(`^/api/v1/audiobooks/${path}\\?exp=\\d+&sig=[\\w-]{88}$`)

void t.test('the list has the flat keys of the contract and the nested ones that clients read', async (t) => {
  const { status, json } = await get('')
  t.equal(status, 200)
  t.strictSame(Object.keys(json as object), ['audiobooks', 'limit', 'offset'])
  t.match(json, { limit: 50, offset: 0, audiobooks: [{ name: 'Plain' }, { name: 'Solaris' }, { name: 'Time' }] })
  const row = pick(json, 'audiobooks', 1) as Record<string, unknown>
  t.equal(Object.keys(row).join(' '), `${SHARED} chapter_count progress_percent`)
  t.match(row, {
    id: solaris,
    library_id: library.id,
    title: 'Solaris',
    author: 'Lem',
    narrator: 'A Reader',
    series: 'Cycle',
    duration_secs: 4,
    chapter_count: 2,
    progress_percent: 0,
    metadata: { title: 'Solaris', author: 'Lem', narrator: 'A Reader', duration_ms: row['duration_ms'] },
  })
  t.match(row['stream_url'], SIGNED(`${solaris}/stream`))
  t.match(row['read_url'], SIGNED(`${solaris}/read`))
  t.match(row['cover_url'], /^\/api\/v1\/artwork\/[\w-]+\?size=\d+&exp=\d+&sig=[\w-]{43}$/)
  t.match(pick(json, 'audiobooks', 0), { author: '', narrator: '', series: null, cover_url: null, chapter_count: 1 })
})

void t.test('the list is of one library or all, 50 rows unless said and 100 at most', async (t) => {
  t.match((await get(`?library_id=${library.id}&limit=1&offset=2`)).json, { audiobooks: [{ name: 'Time' }], limit: 1 })
  t.match((await get(`?library_id=${UNKNOWN}`)).json, { audiobooks: [], limit: 50, offset: 0 })
  t.equal((pick((await get('?library_id=&limit=1000&offset=-1')).json, 'audiobooks') as unknown[]).length, 3)
  t.match((await get('?limit=1000')).json, { limit: 100 })
  t.match((await get('?limit=0')).json, { limit: 1 })
  t.match(await get('?library_id=mine'), { status: 400, json: { code: 'invalid_request', field: 'library_id' } })
  t.match(await get('?limit=many'), { status: 400, json: { code: 'invalid_request' } })
})

void t.test('the detail has chapters over the whole book, and says where its files are', async (t) => {
  const { audiobook } = (await get(solaris)).json as { audiobook: Record<string, unknown> }
  t.equal(Object.keys(audiobook).join(' '), `${SHARED} chapters parts`)
  const end = Number(audiobook['duration_ms'])
  const chapters = [
    { index: 0, title: 'Opening', start_ms: 0, end_ms: 1000, duration_ms: 1000 },
    { index: 1, title: 'Chapter 2', start_ms: 1000, end_ms: 4000, duration_ms: 3000 },
  ]
  t.strictSame(audiobook['chapters'], chapters)
  t.match(audiobook['parts'], [{ index: 0, start_ms: 0, end_ms: end, stream_url: SIGNED(`${solaris}/stream`) }])
  t.strictSame((await get(`${solaris}/chapters`)).json, { audiobook_id: solaris, chapters })
  const several = pick((await get(time)).json, 'audiobook') as { parts: object[]; chapters: object[] }
  t.equal(several.parts.length, 2)
  t.equal(pick(several.parts, 1, 'start_ms'), pick(several.parts, 0, 'end_ms'))
  t.match(pick(several.parts, 1, 'stream_url'), /&part=1$/)
  t.match(several.chapters, [{ index: 0 }, { index: 1, end_ms: pick(several, 'duration_ms') }])
  t.match((await get(`${plain}/chapters`)).json, { chapters: [{ index: 0, title: 'Plain', start_ms: 0 }] })
})

void t.test('the bytes of a book come whole or in part, with the type of their extension', async (t) => {
  const path = join(folder, 'Lem/Cycle/Solaris/all.m4b')
  const bytes = readFileSync(path)
  const whole = await fetch(`${server.baseUrl}/api/v1/audiobooks/${solaris}/stream`, {
    headers: { authorization: `Bearer ${token}` },
  })
  t.equal(whole.status, 200)
  t.ok(bytes.equals(Buffer.from(await whole.arrayBuffer())), 'raw bytes')
  const headersOf = (headers: Headers) =>
    ['content-type', 'accept-ranges', 'content-length', 'content-range'].map((name) => headers.get(name))
  t.strictSame(headersOf(whole.headers), ['audio/mp4', 'bytes', String(bytes.length), null])
  const part = await get(`${solaris}/stream`, { headers: { range: 'bytes=10-19' } })
  t.equal(part.status, 206)
  t.strictSame(headersOf(part.headers), ['audio/mp4', 'bytes', '10', `bytes 10-19/${bytes.length}`])
  const beyond = await get(`${solaris}/stream`, { headers: { range: `bytes=${bytes.length}-` } })
  t.match(beyond, { status: 416, json: { code: 'range_not_satisfiable' } })
  t.equal(beyond.headers.get('content-range'), `bytes */${bytes.length}`)
  const head = await ask('HEAD', `/api/v1/audiobooks/${solaris}/stream`, { token })
  t.strictSame(headersOf(head.headers), ['audio/mp4', 'bytes', String(bytes.length), null])
  t.equal((await get(`${plain}/stream`)).headers.get('content-type'), 'audio/ogg')
})

void t.test('of a book in several files each is a part, and the stream without a number is the first', async (t) => {
  const sizes = ['01.mp3', '02.mp3'].map((name) => String(statSync(join(folder, 'Wells/Time', name)).size))
  for (const [query, size] of [
    ['', sizes[0]],
    ['?part=0', sizes[0]],
    ['?part=1', sizes[1]],
  ] as const) {
    const answer = await get(`${time}/stream${query}`)
    t.match(answer, { status: 200 })
    t.strictSame(
      [answer.headers.get('content-type'), answer.headers.get('content-length')],
      ['audio/mpeg', size],
      query,
    )
  }
  t.match(await get(`${time}/stream?part=2`), { status: 404, json: { code: 'audiobook_part_not_found' } })
  t.match(await get(`${solaris}/stream?part=1e15`), { status: 404, json: { code: 'audiobook_part_not_found' } })
  for (const part of ['-1', '1.5', 'x', '1e400', '1&part=2']) {
    t.match(await get(`${time}/stream?part=${part}`), { status: 400, json: { code: 'invalid_request' } }, part)
  }
})

void t.test('a signed address plays without a token, a wrong one does not', async (t) => {
  const { stream_url: address, read_url: page } = pick((await get(solaris)).json, 'audiobook') as Record<string, string>
  t.equal((await ask('GET', String(address))).status, 200)
  t.equal((await ask('GET', String(page))).status, 200)
  t.match(await ask('GET', String(address).replace(solaris, time)), {
    status: 403,
    json: { code: 'signature.invalid' },
  })
  t.match(await ask('GET', String(page).replace('/read', '/stream')), { status: 403 })
  for (const path of ['', solaris, ...['chapters', 'stream', 'read', 'waveform'].map((name) => `${solaris}/${name}`)]) {
    const answer = await ask('GET', addressOf(path))
    t.strictSame([answer.status, answer.json], [401, { error: 'Unauthorized', code: 'auth.required' }], path)
  }
})

void t.test('other items and single files of an audiobook are 404 everywhere', async (t) => {
  const [film = ''] = await makeItems(db, t.testdir(), [{}])
  const part = String(await db.oneFirst(sql.unsafe`select id from media_items where role = 'part' limit 1`))
  for (const id of [...NOT_A_BOOK, film, part]) {
    for (const path of ['', '/chapters', '/stream', '/read', '/waveform', '/progress']) {
      const answer = await get(`${id}${path}`)
      t.match(
        answer,
        { status: 404, json: { error: 'Audiobook not found', code: 'audiobook_not_found' } },
        `${id}${path}`,
      )
    }
  }
})

void t.test('a row whose path leads out of the library is 403, and a file that is gone 404 (FN-07)', async (t) => {
  const secret = join(t.testdir({ 'secret.mp3': 'not for you' }), 'secret.mp3')
  const wasAt = await db.oneFirst(sql.unsafe`select path from media_items where id = ${plain}`)
  const link = join(folder, 'link.ogg')
  symlinkSync(secret, link)
  for (const path of [secret, `${folder}/../..${secret}`, '/etc/passwd', link, `${folder}x/a.mp3`]) {
    await db.query(sql.unsafe`update media_items set path = ${path} where id = ${plain}`)
    const answer = await get(`${plain}/stream`)
    t.match(answer, { status: 403, json: { code: 'path_outside_root' } }, path)
    t.notMatch(answer.text, 'not for you')
    t.match(await get(`${plain}/waveform`), { status: 404, json: { code: 'waveform_unavailable' } }, path)
  }
  await db.query(sql.unsafe`update media_items set path = ${String(wasAt)} where id = ${plain}`)
  renameSync(String(wasAt), `${String(wasAt)}.away`)
  t.match(await get(`${plain}/stream`), { status: 404, json: { code: 'file_not_found' } })
  renameSync(`${String(wasAt)}.away`, String(wasAt))
  t.equal((await get(`${plain}/stream`)).status, 200)
})

void t.test('read is a page for browsers and JSON for programs', async (t) => {
  const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const json = { 'content-type': 'application/json' }
  for (const [what, headers] of [
    ['a browser', { accept: HTML }],
    ['a client that accepts anything', { accept: '*/*' }],
    ['a client that accepts both equally', { accept: 'application/json, text/html' }],
    ['nonsense', { accept: ';;q=,,q=9' }],
    ['a browser with a type', { accept: HTML, ...json }],
  ] as const) {
    const answer = await get(`${solaris}/read`, { headers })
    t.strictSame([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8'], what)
    t.equal(answer.headers.get('vary'), 'Accept, Accept-Encoding')
  }
  for (const [what, headers] of [
    ['a program', { accept: 'application/json' }],
    ['a program that could show a page', { accept: 'text/html;q=0.5, application/json' }],
    ['the web client, which says it by the type of no body', { accept: '*/*', ...json }],
  ] as const) {
    const { headers: replied, json: body } = await get(`${solaris}/read`, { headers })
    t.equal(replied.get('content-type'), 'application/json; charset=utf-8', what)
    t.strictSame(Object.keys(body as object), ['audiobook', 'metadata', 'progress', 'message'])
    t.match(body, { audiobook: { id: solaris, chapters: { length: 2 } }, metadata: { author: 'Lem' }, progress: null })
  }
  const body = { position_ms: 500, current_chapter_index: 1 }
  t.equal((await ask('POST', `/api/v1/audiobooks/${solaris}/progress`, { token, body })).status, 200)
  const headers = { accept: 'application/json' }
  const opened = { ...body, position_ms: 1500 }
  t.match((await get(`${solaris}/read`, { headers })).json, {
    progress: { audiobook_id: solaris, user_id: account.id, ...opened, completed_chapters: [0] },
    message: 'Audiobook ready',
  })
  const [percent] = [37.5]
  t.match((await get('')).json, { audiobooks: [{}, { progress_percent: percent }, {}] })
  const { read_url: signed } = pick((await get(solaris)).json, 'audiobook') as Record<string, string>
  t.match((await ask('GET', String(signed), { headers })).json, { progress: null }, 'a signature identifies no user')
  const both = await ask('GET', String(signed), { token, headers })
  t.match(both.json, { progress: { user_id: account.id, ...opened } }, 'a bearer beside it identifies the user')
  for (const stale of ['Bearer a.b.c', 'Bearer', `Bearer ${token}x`, 'Basic dTpw']) {
    const answer = await ask('GET', String(signed), { headers: { ...headers, authorization: stale } })
    t.match(answer, { status: 200, json: { progress: null } }, stale)
  }
})

void t.test('a signature alone leads to no address that is good for longer than itself (SU-12)', async (t) => {
  const headers = { accept: 'application/json' }
  const path = `/api/v1/audiobooks/${solaris}/read`
  const { exp, sig } = services.signer.sign(path, 60)
  const ends = ({ text }: { text: string }) => [...text.matchAll(/[?&]exp=(\d+)/g)].map(([, end]) => Number(end))
  const address = `${path}?exp=${exp}&sig=${sig}`
  const alone = await ask('GET', address, { headers })
  t.strictSame(ends(alone), [exp, exp, exp, exp], 'cover, stream, read and the stream of the part')
  for (const key of ['cover_url', 'stream_url', 'read_url']) {
    t.equal((await ask('GET', String(pick(alone.json, 'audiobook', key)))).status, 200, key)
  }
  const again = await ask('GET', String(pick(alone.json, 'audiobook', 'read_url')), { headers })
  t.strictSame(ends(again), [exp, exp, exp, exp], 'also by what it led to')
  t.strictSame(
    ends(await ask('GET', address, { headers, token: 'a.b.c' })),
    ends(alone),
    'an old bearer renews nothing',
  )
  const signedIn = ends(await ask('GET', address, { headers, token }))
  t.ok(signedIn.length === 4 && signedIn.every((end) => end > exp + 3600), 'who is signed in gets new ones')
})

void t.test(
  'an unambiguous position in the whole book is accepted, and returned relative to the same origin',
  async (t) => {
    const save = async (body: object) =>
      pick((await ask('POST', `/api/v1/audiobooks/${solaris}/progress`, { token, body })).json, 'progress')
    t.match(await save({ position_ms: 3500, current_chapter_index: 1 }), {
      position_ms: 3500,
      chapter_position_ms: 2500,
    })
    t.match(
      await save({ position_ms: 2500, current_chapter_index: 1 }),
      { position_ms: 2500, book_position_ms: 3500 },
      'within the chapter',
    )
    t.match(
      await save({ position_ms: 9000, current_chapter_index: 1 }),
      { position_ms: 4000, chapter_position_ms: 3000 },
      'beyond everything',
    )
    t.match(await save({ position_ms: 1500, current_chapter_index: 0 }), { position_ms: 1000, completed_chapters: [0] })
  },
)

void t.test('the waveform is pending at first, is cached, and is computed again for a changed file', async (t) => {
  const ready = async (id: string) => {
    let answer = await get(`${id}/waveform`)
    const meanwhile = new Set<string>()
    await waitUntil('the waveform is made', async () => {
      if (answer.status !== 202) return true
      const { audiobook_id, status, points } = answer.json as Record<string, unknown>
      meanwhile.add(JSON.stringify([audiobook_id, status, points]))
      answer = await get(`${id}/waveform`)
      return false
    })
    meanwhile.delete(JSON.stringify([id, 'making', null]))
    t.strictSame([...meanwhile], [], 'nothing else is said until then')
    return answer
  }
  t.equal((await get(`${time}/waveform`)).status, 202)
  const { status, json } = await ready(time)
  t.equal(status, 200)
  t.strictSame(Object.keys(json as object), ['audiobook_id', 'status', 'duration_ms', 'points'])
  const points = pick(json, 'points') as number[]
  t.match(json, { audiobook_id: time, status: 'ready' })
  t.equal(points.length, 100)
  t.ok(points.every((point) => Number.isInteger(point) && point >= 0 && point <= 100))
  t.ok(
    points.slice(2, -2).every((point) => point > 50),
    'a tone is as loud all the way',
  )
  t.strictSame((await get(`${time}/waveform`)).json, json)
  const second = join(folder, 'Wells/Time/02.mp3')
  writeFileSync(second, readFileSync(second).subarray(0, 9000))
  t.equal((await get(`${time}/waveform`)).status, 202, 'the file is another')
  t.equal((await ready(time)).status, 200)
  writeFileSync(second, 'noise')
  t.match(await ready(time), { status: 404, json: { code: 'waveform_unavailable' } })
})

void t.test('markup in titles is data: the page contains none of it (BR-01)', async (t) => {
  const evil = [
    '</script><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '\u2028\u2029<!--',
    '${alert(1)}',
  ].join(' ')
  await db.query(sql.unsafe`
    update media_items set name = ${evil}, local_metadata = local_metadata || ${JSON.stringify({ author: evil, narrator: evil })}::jsonb,
      chapters = ${JSON.stringify([{ startSeconds: 0, endSeconds: 1, title: evil }])}::jsonb
    where id = ${plain}`)
  const [page, other] = [await get(`${plain}/read`), await get(`${solaris}/read`)]
  t.equal(page.text, other.text, 'the page is the same for every book')
  t.match((await get(plain)).json, { audiobook: { name: evil, author: evil, chapters: [{ title: evil }] } })
  t.equal((await get(plain)).headers.get('content-type'), 'application/json; charset=utf-8')
})

void t.test('the page runs and loads our own files only, and holds no token (BR-02)', async (t) => {
  const { headers, text } = await get(`${solaris}/read`)
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]) {
    t.ok(policy.split('; ').includes(rule), rule)
  }
  t.notMatch(policy, /unsafe|\*/)
  t.equal(headers.get('x-content-type-options'), 'nosniff')
  t.equal(headers.get('referrer-policy'), 'no-referrer')
  t.notMatch(text, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/i, 'nothing inline')
  t.notMatch(text, /eyJ|sig=/)
  const etag = headers.get('etag') ?? ''
  t.equal((await get(`${solaris}/read`, { headers: { 'if-none-match': etag } })).status, 304)
})

void t.test('no other site may read a book (BR-03)', async (t) => {
  const headers = { origin: 'https://evil.example' }
  for (const path of [
    '',
    solaris,
    ...['chapters', 'stream', 'read', 'waveform', 'progress'].map((x) => `${solaris}/${x}`),
  ]) {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers: replied } = await ask(method, addressOf(path), { token, headers })
      t.equal(replied.get('access-control-allow-origin'), null, `${method} ${path}`)
      t.equal(replied.get('access-control-allow-credentials'), null)
    }
  }
})

void t.test('shared caches store nothing of a book (BR-04)', async (t) => {
  for (const path of ['', solaris, `${solaris}/chapters`, `${solaris}/progress`, `${solaris}/waveform`]) {
    t.equal((await get(path)).headers.get('cache-control'), 'no-store', path)
  }
  t.match((await get(`${solaris}/stream`)).headers.get('cache-control'), /^private/)
  t.equal((await get(`${solaris}/read`)).headers.get('cache-control'), 'no-cache', 'the page itself is no secret')
  t.equal(
    (await get(`${solaris}/read`, { headers: { accept: 'application/json' } })).headers.get('cache-control'),
    'no-store',
  )
})
