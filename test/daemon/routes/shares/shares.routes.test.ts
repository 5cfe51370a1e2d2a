import { createHmac, hkdfSync } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import { disableAccount, setAccess } from '../../../../src/core/accounts/index.ts'
import { createApiKey } from '../../../../src/core/api-keys/index.ts'
import { pick, scanFilms, startApp, type Answer } from '../../../support/app.ts'
import { codeOf, openLink, share, SHARES, startWithFilms } from '../../../support/shares.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

void t.test('a link is shown once, listed without its token, counted, and revoked', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { user } = app
  const { token } = user
  const body = { item_id: app.idOf('A film'), max_uses: 2 }
  const made = await app.ask('POST', SHARES, { token, body })
  t.match(made, {
    status: 201,
    json: {
      id: /-/,
      url: /^http:\/\/127\.0\.0\.1:\d+\/s#[\w-]{43}$/,
      title: 'A film',
      kind: 'item',
      uses: 0,
      max_uses: 2,
    },
  })
  const [id, secret] = [String(pick(made.json, 'id')), String(pick(made.json, 'url')).split('#')[1] ?? '']
  await openLink(app, secret)
  await openLink(app, secret)
  t.match(await app.ask('POST', '/s/open', { body: { token: secret } }), {
    status: 410,
    json: { code: 'share_used_up' },
  })
  const list = await app.ask('GET', SHARES, { token })
  t.match(list.json, {
    shares: [
      {
        id,
        username: 'user',
        title: 'A film',
        uses: 2,
        last_used_at: /Z$/,
        last_address: '127.0.0.1',
        has_password: false,
      },
    ],
  })
  t.notOk(list.text.includes(secret))
  const stored = await app.services.db.oneFirst(sql.unsafe`select row_to_json(s)::text from shares s`)
  t.notOk(String(stored).includes(secret), 'the token is not stored')
  const admin = await app.signIn(
    (await app.ask('GET', '/api/v1/auth/me', { token })).text === '' ? '' : app.user.account.id,
  )
  t.equal((await app.ask('GET', '/api/v1/admin/shares', { token: admin })).status, 403)
  t.equal((await app.ask('DELETE', `${SHARES}/${id}`, { token })).status, 200)
  t.equal((await app.ask('DELETE', `${SHARES}/${id}`, { token })).status, 200, 'again')
  t.match(await app.ask('POST', '/s/open', { body: { token: secret } }), {
    status: 410,
    json: { code: 'share_revoked' },
  })
  t.strictSame((await app.ask('GET', SHARES, { token })).json, { shares: [] })
})

void t.test('an administrator lists and revokes the links of all, a user only own ones', async (t) => {
  const app = await startApp(t)
  const [admin, user] = [await app.registerAdmin(), await app.registerUser()]
  const { id: libraryId } = (await app.services.db.one(
    sql.unsafe`insert into libraries (name, type, created_at, updated_at) values ('L', 'movie', now(), now()) returning id`,
  )) as { id: string }
  const itemId = await app.services.db.oneFirst(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, path, path_hash, folder_hash, size_bytes, modified_ns, added_at, created_at, updated_at)
    values (${libraryId}, 'movie', 'Film', 'Film', '/x.mp4', sha256('a'), sha256('b'), 1, 1, now(), now(), now()) returning id`)
  const own = await share(app, admin, { item_id: itemId })
  t.equal((await app.ask('DELETE', `${SHARES}/${own.id}`, { token: user.token })).status, 404)
  t.strictSame((await app.ask('GET', SHARES, { token: user.token })).json, { shares: [] })
  const others = await share(app, user, { item_id: itemId })
  const list = await app.ask('GET', '/api/v1/admin/shares', { token: admin.token })
  t.strictSame(
    (pick(list.json, 'shares') as { id: string }[]).map(({ id }) => id).toSorted(),
    [own.id, others.id].toSorted(),
  )
  t.equal((await app.ask('DELETE', `/api/v1/admin/shares/${others.id}`, { token: admin.token })).status, 200)
  t.equal((await app.ask('DELETE', `/api/v1/admin/shares/${UNKNOWN}`, { token: admin.token })).status, 404)
  t.equal((await app.ask('DELETE', '/api/v1/admin/shares/x', { token: admin.token })).status, 404)
})

void t.test('wrong input is refused with the reasons', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { token } = app.user
  const itemId = app.idOf('A film')
  const refused = async (body: object) => {
    const { status, json } = await app.ask('POST', SHARES, { token, body })
    return `${status} ${String(pick(json, 'code'))} ${Object.keys((pick(json, 'fields') as object | undefined) ?? {}).join()}`
  }
  const inAYear = new Date(Date.now() + 400 * 86_400_000).toISOString()
  t.equal(await refused({ item_id: itemId, expires_at: 'tomorrow' }), '422 validation_failed expires_at')
  t.equal(await refused({ item_id: itemId, expires_at: inAYear }), '422 validation_failed expires_at')
  t.equal(await refused({ item_id: itemId, expires_at: '2000-01-01T00:00:00Z' }), '422 validation_failed expires_at')
  t.equal(await refused({ item_id: itemId, max_uses: 0, password: 'abc' }), '422 validation_failed password,max_uses')
  t.equal(await refused({ item_id: itemId, password: 'x'.repeat(2000) }), '422 validation_failed password')
  t.equal(await refused({}), '422 not_shareable ')
  t.equal(await refused({ item_id: itemId, collection_id: itemId }), '422 not_shareable ')
  for (const id of [UNKNOWN, 'x', '', `${itemId} `, "' or true --"]) {
    t.equal(await refused({ item_id: id }), '404 share_subject_not_found ', id)
    t.equal(await refused({ album_id: id }), '404 share_subject_not_found ', id)
    t.equal(await refused({ collection_id: id }), '404 share_subject_not_found ', id)
  }
  t.equal(await refused({ album_id: 'album-2024-13-45' }), '404 share_subject_not_found ')
  t.match((await app.ask('POST', SHARES, { token, body: { item_id: itemId } })).json, { expires_at: /Z$/ })
})

void t.test('a key makes no link, nor does an old sign-in, and an account has at most 100', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { db } = app.services
  const { account, token } = app.user
  const body = { item_id: app.idOf('A film') }
  const { key } = await createApiKey(app.services, { account, name: 'x', scopes: ['read', 'play'], expiresAt: null })
  t.match(await app.ask('POST', SHARES, { headers: { 'x-api-key': key }, body }), {
    status: 403,
    json: { code: 'key_not_allowed' },
  })
  t.match(await app.ask('GET', SHARES, { headers: { 'x-api-key': key } }), { status: 403 })
  t.match(await app.ask('POST', SHARES, { body }), { status: 401 })
  await share(app, app.user, body)
  await db.query(sql.unsafe`
    insert into shares (user_id, profile_id, kind, subject_id, digest, allows_download, created_at, expires_at)
    select ${account.id}, ${account.id}, 'item', ${body.item_id}, sha256(n::text::bytea), false, now(), now() + interval '1 day' from generate_series(1, 99) n`)
  t.match(await app.ask('POST', SHARES, { token, body }), {
    status: 409,
    json: { code: 'too_many_shares', limit: 100 },
  })
  await db.query(
    sql.unsafe`update shares set created_at = now() - interval '2 days', expires_at = now() - interval '1 day'`,
  )
  t.equal((await app.ask('POST', SHARES, { token, body })).status, 201, 'links that ended do not count')
  await db.query(sql.unsafe`update refresh_families set authenticated_at = now() - interval '1 hour'`)
  t.match(await app.ask('POST', SHARES, { token, body }), { status: 403, json: { code: 'recent_sign_in_required' } })
})

void t.test(
  'a password is asked for, and ten wrong ones lock the link for the address, also for the right one (AZ-15)',
  async (t) => {
    const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
    const body = { item_id: app.idOf('A film') }
    const [locked, other] = [
      await share(app, app.user, { ...body, password: 'open sesame' }),
      await share(app, app.user, { ...body, password: 'open sesame' }),
    ]
    const open = async (link: { token: string }, password?: string) =>
      codeOf(await app.ask('POST', '/s/open', { body: { token: link.token, password } }))
    t.equal(await open(locked), '401 share_password_required')
    t.equal(await open(locked, ''), '401 share_password_required')
    t.equal(await open(locked, 'open sesame'), '200')
    const tries = await Promise.all(Array.from({ length: 14 }, (_, index) => open(locked, `wrong ${index}`)))
    t.equal(tries.filter((answer) => answer === '401 share_password_wrong').length, 10)
    t.equal(tries.filter((answer) => answer === '429 rate_limited').length, 4)
    t.equal(await open(locked, 'open sesame'), '429 rate_limited')
    t.equal(await open(locked), '429 rate_limited')
    t.equal(await open(other, 'open sesame'), '200', 'another link is not locked')
    t.match((await app.ask('GET', SHARES, { token: app.user.token })).json, { shares: [{ uses: 1 }, { uses: 1 }] })
  },
)

void t.test('wrong tokens are all answered alike, and their number is limited (AZ-15)', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { token } = await share(app, app.user, { item_id: app.idOf('A film'), password: 'open sesame' })
  const swapped = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
  const answers = new Set<string>()
  for (const text of [
    '',
    'x',
    swapped,
    token.toUpperCase(),
    `${token}x`,
    ` ${token}`,
    '\u0000',
    '../..',
    'a'.repeat(43),
  ]) {
    const { status, text: said } = await app.ask('POST', '/s/open', { body: { token: text, password: 'open sesame' } })
    answers.add(`${status} ${said.replaceAll(/"request_?id":"[^"]*"/gi, '')}`)
  }
  t.equal(answers.size, 1, [...answers].join('\n'))
  t.match([...answers][0], /^404 .*share_not_found/)
  await app.ask('POST', '/s/open', { body: { token: 'b'.repeat(43) } })
  t.equal((await app.ask('POST', '/s/open', { body: { token: 'c'.repeat(43) } })).status, 429)
  await openLink(app, token, 'open sesame')
})

void t.test('a browser that has opened a link needs no password and no use again', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { token } = await share(app, app.user, { item_id: app.idOf('A film'), password: 'open sesame', max_uses: 1 })
  const { cookie } = await openLink(app, token, 'open sesame')
  t.equal((await app.ask('POST', '/s/open', { body: { token }, headers: { cookie } })).status, 200)
  for (const password of ['open sesame', 'wrong', undefined])
    t.equal(
      codeOf(await app.ask('POST', '/s/open', { body: { token, password } })),
      '410 share_used_up',
      String(password),
    )
  t.equal(codeOf(await app.ask('POST', '/s/open', { body: { token: 'a'.repeat(43) } })), '404 share_not_found')
})

void t.test('a browser that has opened a link before an update goes on, also if the link is used up', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { id, token } = await share(app, app.user, { item_id: app.idOf('A film'), max_uses: 1 })
  await openLink(app, token)
  const label = 'phlix-share-pass-v1'
  const key = Buffer.from(hkdfSync('sha256', app.services.jwtSecret, '', label, 32))
  const cookie = `phlix-share-${id}=${createHmac('sha256', key).update(`${label}\n${id}`).digest('base64url')}`
  t.equal(codeOf(await app.ask('POST', '/s/open', { body: { token } })), '410 share_used_up')
  const setCookie = ({ headers }: Answer): string => headers.get('set-cookie') ?? ''
  const opened = await app.ask('POST', '/s/open', { body: { token }, headers: { cookie } })
  const read = await app.ask('GET', `/s/${id}`, { headers: { cookie } })
  const browsers = [opened, read].map((answer) => setCookie(answer).split(';')[0] ?? '')
  for (const [index, answer] of [opened, read].entries()) {
    t.equal(answer.status, 200)
    const own = browsers[index] ?? ''
    t.match(own, /=[\w-]{59}$/, 'it gets a name of its own')
    const again = await app.ask('GET', `/s/${id}`, { headers: { cookie: own } })
    t.match([again.status, setCookie(again)], [200, ''], 'which it keeps')
  }
  t.not(browsers[0], browsers[1])
  t.match(setCookie(read), /; Path=\/s\/; Expires=.*; HttpOnly; SameSite=Strict$/)
  const withTls = await app.ask('GET', `/s/${id}`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  t.match(setCookie(withTls), /; Secure$/)
  t.match((await app.ask('GET', SHARES, { token: app.user.token })).json, { shares: [{ uses: 1 }] }, 'without a use')
  const range = { cookie, range: 'bytes=0-9' }
  t.equal((await app.ask('GET', `/s/${id}/items/${app.idOf('A film')}/stream`, { headers: range })).status, 206)
  await app.ask('DELETE', `${SHARES}/${id}`, { token: app.user.token })
  t.equal(codeOf(await app.ask('GET', `/s/${id}`, { headers: { cookie } })), '410 share_revoked')
})

void t.test('an album of music is shared by its id, its title, or artist and title', async (t) => {
  const app = await startApp(t)
  const user = await app.registerUser()
  await scanFilms(t, app.services, { 'Oscillator/Waves/01 Tone.mp3': 'song-mp3' }, 'music')
  const { db } = app.services
  const listed = await app.ask('GET', '/api/v1/music/albums', { token: user.token })
  const { id, name, artist } = pick(listed.json, 'albums', 0) as { id: string; name: string; artist: string }
  const make = (album: string) => app.ask('POST', SHARES, { token: user.token, body: { album_id: album } })
  for (const album of [id, name, name.toUpperCase(), `${artist}/${name}`])
    t.match(await make(album), { status: 201, json: { kind: 'album', subject_id: id, title: name } }, album)
  for (const album of [`nobody/${name}`, `${artist}/`, '/', '%', '\u0000', '/'.repeat(5000)])
    t.equal(codeOf(await make(album)), '404 share_subject_not_found', album.slice(0, 20))
  await db.query(sql.unsafe`
    with other as (insert into music_artists (library_id, name, sort_name) select library_id, 'Other', 'other' from music_artists limit 1 returning id)
    insert into music_albums (artist_id, title, sort_title) select other.id, ${name}, 'x' from other`)
  t.match(await make(name), {
    status: 422,
    json: { code: 'share_subject_ambiguous', albums: [{ name: `${artist}/${name}` }, { name: `Other/${name}` }] },
  })
  t.equal((await make(`${artist}/${name}`)).status, 201)
})

void t.test('two browsers cannot share the last use', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { token } = await share(app, app.user, { item_id: app.idOf('A film'), max_uses: 3 })
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.ask('POST', '/s/open', { body: { token } })))
  t.equal(answers.filter(({ status }) => status === 200).length, 3)
  t.equal(answers.filter(({ status }) => status === 410).length, 5)
})

void t.test('a link ends with its time, with its account, and with what the account may see', async (t) => {
  const app = await startWithFilms(t, { 'A film (1999).mp4': 'film-mp4' })
  const { services, user, libraryId } = app
  const itemId = app.idOf('A film')
  const { token, id } = await share(app, user, { item_id: itemId })
  const guest = await openLink(app, token)
  const stream = `/items/${itemId}/stream`
  const answer = async (path: string) => codeOf(await guest.ask(path))
  t.equal((await guest.ask('')).status, 200)
  t.equal((await guest.ask(stream)).status, 200)
  await setAccess(services, { accountId: user.account.id, changes: { libraryIds: [] } })
  t.equal(await answer(stream), '404 share_item_not_found')
  t.match((await guest.ask('')).json, { title: null, items: [] })
  t.match((await app.ask('GET', SHARES, { token: user.token })).json, { shares: [{ title: null }] })
  t.match(await app.ask('POST', SHARES, { token: user.token, body: { item_id: itemId } }), { status: 404 })
  await setAccess(services, { accountId: user.account.id, changes: { libraryIds: [libraryId] } })
  t.equal((await guest.ask(stream)).status, 200)
  t.match((await guest.ask('')).json, { title: 'A film' })
  await disableAccount(services, { accountId: user.account.id })
  t.equal(await answer(stream), '410 share_revoked')
  await services.db.query(sql.unsafe`update users set status = 'active'`)
  await services.db.query(
    sql.unsafe`update shares set created_at = now() - interval '2 days', expires_at = now() - interval '1 second'`,
  )
  t.equal(await answer(stream), '410 share_expired')
  t.match(await app.ask('POST', '/s/open', { body: { token } }), { json: { code: 'share_expired' } })
  await services.db.query(sql.unsafe`delete from shares where id = ${id}`)
  t.equal(await answer(stream), '410 share_revoked')
})
