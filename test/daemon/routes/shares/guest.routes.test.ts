import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { setAccess } from '../../../../src/core/accounts/index.ts'
import { pick } from '../../../support/app.ts'
import {
  codeOf,
  openLink,
  share,
  SHARES,
  startWithFilms,
  type GuestBrowser,
  type SharedFilms,
} from '../../../support/shares.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const FILMS = { 'Shared (1999).mkv': 'film-subtitles-mkv', 'Private (1999).mp4': 'film-mp4' } as const

async function setup(t: Test): Promise<SharedFilms & { guest: GuestBrowser; shared: string; hidden: string }> {
  const app = await startWithFilms(t, FILMS)
  const [shared, hidden] = [app.idOf('Shared'), app.idOf('Private')]
  const { token } = await share(app, app.user, { item_id: shared })
  return { ...app, guest: await openLink(app, token), shared, hidden }
}

const NOT_PART = '404 share_item_not_found'

void t.test('a guest sees the listed film, and nothing that the server knows besides', async (t) => {
  const { guest, shared } = await setup(t)
  const list = await guest.ask('')
  t.strictSame(list.json, {
    kind: 'item',
    title: 'Shared',
    expires_at: pick(list.json, 'expires_at'),
    allow_download: false,
    items: [
      {
        id: shared,
        kind: 'video',
        title: 'Shared',
        year: 1999,
        season_number: null,
        episode_number: null,
        artist: null,
        duration_seconds: pick(list.json, 'items', 0, 'duration_seconds'),
        width: null,
        height: null,
        picture_url: `/s/${guest.id}/items/${shared}/picture`,
        download_url: null,
      },
    ],
  })
  const playback = await guest.ask(`/items/${shared}/playback`)
  t.match(playback, {
    status: 200,
    json: { item_id: shared, stream_url: null, container: 'mkv', subtitle_tracks: [{}] },
  })
  for (const { text } of [list, playback])
    t.notMatch(text, /\/tmp|\/home|"path"|Private|library|sig=|user|example\.test/)
  t.equal((await guest.ask(`/items/${shared}/picture`)).headers.get('content-type'), 'image/jpeg')
  const text = await guest.ask(String(pick(playback.json, 'subtitle_tracks', 0, 'url')).replace(`/s/${guest.id}`, ''))
  t.match(text, { status: 200, text: /^WEBVTT/ })
})

void t.test('the film plays by playlists and segments below the link', async (t) => {
  const app = await setup(t)
  const { guest, shared } = app
  const started = await guest.ask(`/items/${shared}/transcode`, 'POST')
  t.equal(started.status, 200, started.text)
  const master = String(pick(started.json, 'master_url'))
  t.match(master, new RegExp(`^/s/${guest.id}/hls/[0-9a-f-]{36}/master\\.m3u8$`))
  const headers = { cookie: guest.cookie }
  const { text } = await app.ask('GET', master, { headers })
  t.notMatch(text, /sig=|exp=|"\//)
  const playlist = /^media_v\S+$/m.exec(text)?.[0] ?? ''
  const media = new URL(playlist, `http://x${master}`).pathname
  const segment = /^[^#].*$/m.exec((await app.ask('GET', media, { headers })).text)?.[0] ?? ''
  const bytes = await app.ask('GET', new URL(segment, `http://x${media}`).pathname, { headers })
  t.equal(bytes.status, 200)
  t.ok(bytes.text.length > 1000)
  const subtitle = String(pick(started.json, 'subtitles', 0, 'url'))
  t.match(await app.ask('GET', subtitle, { headers }), { status: 200, text: /^WEBVTT/ })
  t.equal((await app.ask('GET', master)).status, 401, 'not without the cookie')
})

void t.test('no route of guests gives another item, its pictures, its subtitles or its streams (AZ-14)', async (t) => {
  const app = await setup(t)
  const { guest, shared, hidden } = app
  const { job_id: job } = (
    await app.ask('POST', `/api/v1/media/${hidden}/transcode`, { token: app.user.token, body: {} })
  ).json as { job_id: string }
  const own = String(pick((await guest.ask(`/items/${shared}/transcode`, 'POST')).json, 'job_id'))
  const { libraryId } = app
  const routes = app.app.declaredRoutes.filter(({ access, method }) => access === 'guest' && method !== 'HEAD')
  t.ok(routes.length >= 9)
  for (const { method, url } of routes) {
    for (const id of [
      hidden,
      randomUUID(),
      libraryId,
      guest.id,
      'x',
      `${hidden}/..`,
      `..%2f${hidden}`,
      '%00',
      `${shared}%00`,
    ]) {
      if (!/:(?:id|jobId)/.test(url)) continue
      const path = url
        .replace('/s/:share', '')
        .replace(/:id|:jobId/, id)
        .replace(':file', 'master.m3u8')
        .replace(':index', '0')
      const answer = await guest.ask(path, method)
      t.match(codeOf(answer), /^404 |^40[04]$/, `${method} ${path}`)
      t.notMatch(answer.text, /Private|WEBVTT|EXTM3U/, path)
    }
  }
  for (const file of ['master.m3u8', 'media_v360p.m3u8', 'seg-v360p-00000.ts', 'sub_0.vtt'])
    t.equal(codeOf(await guest.ask(`/hls/${job}/${file}`)), NOT_PART, file)
  // Path tricks: what decodes to another folder is another path, never a file outside of the stream.
  for (const file of [
    '..%2f..%2fmaster.m3u8',
    `..%2f${job}%2fmaster.m3u8`,
    '%2e%2e',
    'plan.json',
    'master.m3u8%00',
    '.head-1',
  ])
    t.not((await guest.ask(`/hls/${own}/${file}`)).status, 200, file)
  t.not(
    (await app.ask('GET', `/s/${guest.id}/hls/${own}/../${job}/master.m3u8`, { headers: { cookie: guest.cookie } }))
      .status,
    200,
  )
})

void t.test('the cookie opens nothing but its link (AZ-14)', async (t) => {
  const app = await setup(t)
  const { guest, shared, hidden, user } = app
  const headers = { cookie: guest.cookie }
  for (const path of [
    `/api/v1/media/${shared}`,
    '/api/v1/media',
    `/media/${shared}/stream`,
    '/api/v1/me/shares',
    `/api/v1/artwork/${shared}-poster-0123456789`,
  ])
    t.equal((await app.ask('GET', path, { headers })).status, 401, path)
  const other = await share(app, user, { item_id: hidden })
  t.equal(codeOf(await app.ask('GET', `/s/${other.id}`, { headers })), '401 share_not_open')
  // The value of one link under the name of another, and as several.
  const value = guest.cookie.split('=')[1] ?? ''
  const name = `phlix-share-${other.id}`
  for (const cookie of [`${name}=${value}`, `${name}=`, `${guest.cookie}; ${name}=${value}`, `${name}=${other.token}`])
    t.equal(codeOf(await app.ask('GET', `/s/${other.id}`, { headers: { cookie } })), '401 share_not_open', cookie)
  t.equal(
    codeOf(await app.ask('GET', `/s/${guest.id}`, { headers: { cookie: `${guest.cookie}; ${guest.cookie}` } })),
    '401 share_not_open',
  )
  for (const id of ['x', '%252e%252e', randomUUID()])
    t.not((await app.ask('GET', `/s/${id}`, { headers })).status, 200, id)
  t.equal(
    (await app.ask('GET', `/s/${guest.id}`, { token: user.token })).status,
    401,
    'a token of the owner is not read',
  )
})

void t.test('the file itself is only for browsers that play it, and a download only if it is allowed', async (t) => {
  const app = await startWithFilms(t, { ...FILMS, 'Plain (1999).mp4': 'film-mp4' })
  const [mkv, mp4] = [app.idOf('Shared'), app.idOf('Plain')]
  const plain = await openLink(app, (await share(app, app.user, { item_id: mp4 })).token)
  t.equal((await plain.ask(`/items/${mp4}/stream`, 'GET', { range: 'bytes=0-9' })).status, 206)
  t.equal(codeOf(await plain.ask(`/items/${mp4}/download`)), '403 share_file_not_offered')
  const film = await openLink(app, (await share(app, app.user, { item_id: mkv })).token)
  t.equal(codeOf(await film.ask(`/items/${mkv}/stream`)), '403 share_file_not_offered')
  const open = await openLink(app, (await share(app, app.user, { item_id: mkv, allow_download: true })).token)
  const saved = await open.ask(`/items/${mkv}/download`)
  t.equal(saved.status, 200)
  t.equal(saved.headers.get('content-disposition'), 'attachment; filename="Shared (1999).mkv"')
})

void t.test('a season link shows later episodes of it, and neither the series nor other seasons', async (t) => {
  const app = await startWithFilms(t, {})
  const { db } = app.services
  const { scanFilms } = await import('../../../support/app.ts')
  const series = await scanFilms(
    t,
    app.services,
    {
      'Show/Season 1/Show S01E01.mp4': 'film-mp4',
      'Show/Season 1/Show S01E02.mp4': 'film-mp4',
      'Show/Season 2/Show S02E01.mp4': 'film-mp4',
    },
    'series',
  )
  const of = (type: string, number: number) =>
    series.items.find((item) => item.type === type && (item.seasonNumber ?? 0) === number)?.id ?? ''
  const [season, otherEpisode] = [of('season', 1), of('episode', 2)]
  const { token } = await share(app, app.user, { item_id: season })
  const guest = await openLink(app, token)
  const { json } = await guest.ask('')
  t.equal(pick(json, 'title'), 'Show: Season 1')
  const items = pick(json, 'items') as { id: string; episode_number: number }[]
  t.strictSame(
    items.map(({ episode_number: number }) => number),
    [1, 2],
  )
  t.notMatch(JSON.stringify(json), otherEpisode)
  const episode = items[0]?.id ?? ''
  t.equal((await guest.ask(`/items/${episode}/stream`)).status, 200)
  t.equal(codeOf(await guest.ask(`/items/${otherEpisode}/stream`)), NOT_PART)
  const parent = await db.oneFirst(sql.unsafe`select parent_id from media_items where id = ${season}`)
  t.equal(codeOf(await guest.ask(`/items/${String(parent)}/picture`)), NOT_PART)
  await db.query(
    sql.unsafe`update media_items set parent_id = ${season}, season_number = 1, episode_number = 3 where id = ${otherEpisode}`,
  )
  t.equal(
    (pick((await guest.ask('')).json, 'items') as object[]).length,
    3,
    'what comes into the season later is part of it',
  )
  t.equal((await guest.ask(`/items/${otherEpisode}/stream`)).status, 200)
  await db.query(
    sql.unsafe`update media_items set role = 'extra', primary_id = ${episode}, parent_id = null where id = ${otherEpisode}`,
  )
  t.equal(codeOf(await guest.ask(`/items/${otherEpisode}/stream`)), NOT_PART, 'extras are not part of it')
})

void t.test('a collection is shared as it is when the link is made', async (t) => {
  const app = await setup(t)
  const { shared, hidden, user, libraryId } = app
  const { db } = app.services
  const collectionId = String(
    await db.oneFirst(sql.unsafe`
      insert into collections (name, library_id, owner_id, sort_order, created_at, updated_at)
      values ('Ours', ${libraryId}, ${user.account.id}, 0, now(), now()) returning id`),
  )
  const add = (id: string) =>
    db.query(
      sql.unsafe`insert into collection_items (collection_id, media_item_id, sort_order, added_at) values (${collectionId}, ${id}, 0, now())`,
    )
  await add(shared)
  const guest = await openLink(app, (await share(app, user, { collection_id: collectionId })).token)
  await add(hidden)
  t.match((await guest.ask('')).json, { kind: 'collection', title: 'Ours', items: [{ id: shared }] })
  t.equal((pick((await guest.ask('')).json, 'items') as object[]).length, 1)
  t.equal(codeOf(await guest.ask(`/items/${hidden}/stream`)), NOT_PART)
  await db.query(sql.unsafe`delete from media_items where id = ${shared}`)
  t.match((await guest.ask('')).json, { items: [] })
})

void t.test(
  'what is being sent ends when the link is revoked or its account sees the film no more (AZ-14)',
  async (t) => {
    const app = await startWithFilms(t, { 'Long (1999).mp4': 'film-mp4' })
    const { services, user } = app
    const itemId = app.idOf('Long')
    // Larger than all buffers between the server and this client.
    const path = String(await services.db.oneFirst(sql.unsafe`select path from media_items where id = ${itemId}`))
    const { truncate } = await import('node:fs/promises')
    await truncate(path, 200_000_000)
    const play = async (guest: GuestBrowser) => {
      const reply = await fetch(`${app.baseUrl}/s/${guest.id}/items/${itemId}/stream`, {
        headers: { cookie: guest.cookie },
      })
      const reader = reply.body?.getReader()
      await reader?.read()
      const drain = async (): Promise<string> => {
        try {
          for (;;) if ((await reader?.read())?.done !== false) return 'whole'
        } catch {
          return 'cut off'
        }
      }
      return { drain, stop: () => reader?.cancel() }
    }
    const one = await share(app, user, { item_id: itemId })
    const two = await share(app, user, { item_id: itemId })
    const [first, second] = [await play(await openLink(app, one.token)), await play(await openLink(app, two.token))]
    await app.ask('DELETE', `${SHARES}/${one.id}`, { token: user.token })
    await waitUntil('the stream ends', async () => (await first.drain()) === 'cut off')
    // By another process: no event.
    const guest = await openLink(app, two.token)
    await setAccess(services, { accountId: user.account.id, changes: { libraryIds: [] } })
    await waitUntil('the stream ends', async () => (await second.drain()) === 'cut off')
    t.equal(codeOf(await guest.ask(`/items/${itemId}/stream`)), NOT_PART)
  },
)
