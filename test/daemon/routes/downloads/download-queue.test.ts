import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createAccount } from '../../../../src/core/accounts/index.ts'
import { insertDownloadRequester, lockDownloadQueue } from '../../../../src/core/downloads/queries.ts'
import { startDownloadWorker, sweepDownloads } from '../../../../src/core/downloads/index.ts'
import type { SegmentRequest } from '../../../../src/core/streaming/index.ts'
import { streamingErrors } from '../../../../src/core/streaming/index.ts'
import type { SigningServices } from '../../../../src/core/services.ts'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import { codeOf } from '../../../support/shares.ts'
import { waitUntil } from '../../../support/wait-until.ts'

async function setup(t: Test) {
  const app = await startApp(t)
  const [admin, user] = [await app.registerAdmin(), await app.registerUser()]
  const films = { 'One (2001).mp4': 'film-mp4', 'Two (2002).mp4': 'film-mp4' } as const
  const { idOf, library } = await scanFilms(t, app.services, films)
  const of = (method: string, name: string, token = user.token, quality = '360p') =>
    app.ask(method, `/api/v1/media/${idOf(name)}/download?quality=${quality}`, { token })
  return { ...app, admin, user, of, idOf, libraryId: library.id }
}

type World = Awaited<ReturnType<typeof setup>>

/** Downloads that wait, asked for by an account. */
async function fill({ services: { db }, idOf }: World, accountId: string, count: number): Promise<void> {
  await db.query(sql.unsafe`
    with made as (
      insert into downloads (media_item_id, quality, status, percent, source_stamp, created_at, used_at)
      select ${idOf('Two')}, 'q' || n || substr(md5(${accountId}), 1, 8), 'waiting', 0, '', now(), now() from generate_series(1, ${count}) n
      returning id)
    insert into download_askers (download_id, account_id) select id, ${accountId} from made`)
}

void t.test('ten downloads of an account wait at a time, and a hundred of all', async (t) => {
  const world = await setup(t)
  const { user, admin, of } = world
  await fill(world, user.account.id, 9)
  const answers = await Promise.all([of('POST', 'One'), of('POST', 'Two'), of('POST', 'One', user.token, '240p')])
  t.equal(answers.filter(({ status }) => status === 202).length, 1, 'also if they are asked for at once')
  t.match(
    answers.find(({ status }) => status !== 202),
    { status: 429, json: { code: 'too_many_downloads', limit: 10 } },
  )
  t.equal((await of('POST', 'One', admin.token)).status, 202, 'others are not concerned')
  await fill(world, admin.account.id, 90)
  const third = await world.signIn((await newAccount(world)).id)
  t.match(await of('POST', 'Two', third, '240p'), { status: 429, json: { limit: 100 } })
})

async function newAccount({ services }: World): Promise<{ id: string }> {
  return createAccount(services, {
    username: 'third',
    email: 'third@example.test',
    password: 'correct horse',
    isAdmin: false,
  })
}

void t.test('a download that failed counts when it is asked for again, and goes to the end of the queue', async (t) => {
  const world = await setup(t)
  const { services, of, user } = world
  await of('POST', 'One')
  await services.db.query(
    sql.unsafe`update downloads set status = 'failed', failure = 'x', created_at = now() - interval '1 hour'`,
  )
  await of('POST', 'Two')
  await of('POST', 'One')
  const order = await services.db.anyFirst(
    sql.unsafe`select i.name from downloads d join media_items i on i.id = d.media_item_id order by d.created_at, d.id`,
  )
  t.strictSame(order, ['Two', 'One'])
  await services.db.query(sql.unsafe`update downloads set status = 'failed', failure = 'x'`)
  await fill(world, user.account.id, 10)
  t.match(await of('POST', 'One'), { status: 429 })
})

void t.test('a download is cancelled when nobody wants it any more', async (t) => {
  const world = await setup(t)
  const { services, of, admin } = world
  const { db, config } = services
  const asked = await of('POST', 'One')
  await of('POST', 'One', admin.token)
  const folder = join(config.dataDirectory, 'cache', 'downloads')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${String(pick(asked.json, 'id'))}.ts`), 'segments')
  t.equal(codeOf(await of('DELETE', 'Two')), '404 download_not_found')
  t.match(await of('DELETE', 'One'), { status: 200, json: { message: /not wanted/ } })
  t.equal(codeOf(await of('DELETE', 'One')), '404 download_not_found', 'it was cancelled')
  t.equal((await of('GET', 'One')).status, 200, 'somebody else wants it')
  t.equal((await of('DELETE', 'One', admin.token)).status, 200)
  t.equal(codeOf(await of('GET', 'One')), '404 download_not_found')
  t.strictSame(await readdir(folder), [])
  await of('POST', 'One')
  await db.query(sql.unsafe`update downloads set status = 'ready', percent = 100, size_bytes = 8`)
  t.equal((await of('DELETE', 'One')).status, 200)
  t.match((await of('GET', 'One')).json, { status: 'ready' }, 'a finished file stays for others')
  t.equal(
    codeOf(await world.ask('DELETE', `/api/v1/media/${world.idOf('One')}/download?quality=360p`)),
    '401 auth.required',
  )
})

void t.test('what only a deleted account wanted is not made', async (t) => {
  const world = await setup(t)
  const { services, of, admin } = world
  await of('POST', 'One')
  await of('POST', 'Two')
  await of('POST', 'Two', admin.token)
  await services.db.query(sql.unsafe`delete from users where id = ${world.user.account.id}`)
  await sweepDownloads(services)
  t.equal(codeOf(await of('GET', 'One', admin.token)), '404 download_not_found')
  t.match((await of('GET', 'Two', admin.token)).json, { status: 'waiting' })
})

void t.test('a download that is asked for again during a sweep is kept', async (t) => {
  const world = await setup(t)
  const { services, of, user } = world
  await of('POST', 'One')
  const id = String(await services.db.oneFirst(sql.unsafe`select id from downloads`))
  await services.db.query(sql.unsafe`delete from download_askers`)
  const outside = AsyncLocalStorage.snapshot()
  let sweep: Promise<unknown> | undefined
  await services.db.transaction(async (connection) => {
    await lockDownloadQueue(connection)
    await connection.query(sql.unsafe`update downloads set used_at = now()`)
    sweep = outside(() => sweepDownloads(services))
    await waitUntil('the sweep waits', () =>
      connection.exists(sql.unsafe`select from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`),
    )
    await insertDownloadRequester(connection, { downloadId: id, accountId: user.account.id })
  })
  await sweep
  t.match((await of('GET', 'One')).json, { status: 'waiting' })
})

void t.test('a download that cannot be made now does not hold up the next one, and fails after a day', async (t) => {
  const world = await setup(t)
  const { services, of, idOf } = world
  const { db, clock } = services
  await of('POST', 'One')
  await of('POST', 'Two')
  const blocked = idOf('One')
  let day = 0
  const later = { ...clock, now: () => new Date(clock.now().getTime() + day * 86_400_000) }
  const open = async (request: SegmentRequest, signal?: AbortSignal) => {
    const item = await db.oneFirst(sql.unsafe`select media_item_id from transcode_jobs where id = ${request.jobId}`)
    if (item === blocked) throw streamingErrors.disk_space_low()
    return services.segments.open(request, signal)
  }
  const counts = { wanted: 0, encoders: 0, suspended: 0 }
  const full = {
    ...services,
    clock: later,
    segments: { open, counts, cache: services.segments.cache } as never,
  } as SigningServices
  const first = startDownloadWorker(full)
  await waitUntil('the second one is made', async () => pick((await of('GET', 'Two')).json, 'status') === 'ready')
  await first.stop()
  t.match((await of('GET', 'One')).json, { status: 'running' }, 'it is tried again')
  day = 1.1
  const second = startDownloadWorker(full)
  t.teardown(() => second.stop())
  await waitUntil('it is given up', async () => pick((await of('GET', 'One')).json, 'status') === 'failed')
  t.match((await of('GET', 'One')).json, { failure: 'disk_space_low' })
  const id = String(await db.oneFirst(sql.unsafe`select id from downloads where media_item_id = ${blocked}`))
  const files = await readdir(join(services.config.dataDirectory, 'cache', 'downloads'))
  t.strictSame(
    files.filter((name) => name.startsWith(id)),
    [],
    'its segments are removed',
  )
})
