import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { downloadStats, startDownloadWorker, sweepDownloads } from '../../../../src/core/downloads/index.ts'
import type { SegmentRequest } from '../../../../src/core/streaming/index.ts'
import { setAccess } from '../../../../src/core/accounts/index.ts'
import type { SigningServices } from '../../../../src/core/services.ts'
import { pick, scanFilms, startApp, type TestApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import type { SampleKind } from '../../../support/media.ts'
import { testServices } from '../../../support/services.ts'
import { codeOf } from '../../../support/shares.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const run = promisify(execFile)

async function setup(t: Test, films: Record<string, SampleKind>, flags: Record<string, string> = {}) {
  const services = await testServices(t, { flags })
  const app = await startApp(t, { services })
  const user = await app.registerUser()
  const { idOf, folder, library } = await scanFilms(t, services, films)
  const ask = (method: string, path: string) => app.ask(method, `/api/v1/media/${path}`, { token: user.token })
  return { ...app, user, idOf, folder, library, of: ask }
}

type World = Awaited<ReturnType<typeof setup>>

/** The work of the daemon, stopped at the end of the test. */
function work(t: Test, services: SigningServices) {
  const downloads = startDownloadWorker(services)
  t.teardown(() => downloads.stop())
  return downloads
}

async function untilReady({ of }: World, path: string): Promise<{ url: string; size: number }> {
  let last: unknown
  await waitUntil('the download is ready', async () => {
    last = (await of('GET', path)).json
    if (pick(last, 'status') === 'failed') throw new Error(`failed: ${JSON.stringify(last)}`)
    return pick(last, 'status') === 'ready'
  })
  return { url: String(pick(last, 'url')), size: Number(pick(last, 'size_bytes')) }
}

async function bytesOf({ baseUrl }: Pick<TestApp, 'baseUrl'>, url: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${baseUrl}${url}`, { headers })
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) }
}

/** Decodes all of a file; ffmpeg reports nothing. */
async function facts(t: Test, bytes: Buffer) {
  const path = join(reachableDirectory(t), 'film.mp4')
  await writeFile(path, bytes)
  const decoded = await run('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-'])
  const shown = await run('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'format=duration:stream=codec_name,height,channels',
    '-of',
    'json',
    path,
  ])
  const { format, streams } = JSON.parse(shown.stdout) as {
    format: { duration: string }
    streams: { codec_name: string; height?: number; channels?: number }[]
  }
  return { problems: decoded.stderr, seconds: Number(format.duration), streams }
}

void t.test(
  'a film is made in a quality: it plays, is whole, begins with its index, and goes on after an interruption',
  async (t) => {
    const world = await setup(t, { 'A film (1999).mkv': 'film-mkv' })
    const id = world.idOf('A film')
    work(t, world.services)
    const ladder = pick((await world.of('GET', `${id}/playback-info`)).json, 'quality_ladder') as {
      id: string
      is_copy: boolean
      height: number
    }[]
    const rung = ladder.findLast(({ is_copy: isCopy }) => !isCopy)
    const path = `${id}/download?quality=${rung?.id}`
    t.equal(codeOf(await world.of('GET', path)), '404 download_not_found')
    const asked = await world.of('POST', path)
    t.match(asked, {
      status: 202,
      json: { media_item_id: id, quality: rung?.id, status: 'waiting', progress: 0, url: null },
    })
    const { url, size } = await untilReady(world, path)
    const { reply, bytes } = await bytesOf(world, url)
    t.equal(reply.status, 200)
    t.equal(reply.headers.get('content-type'), 'video/mp4')
    t.equal(reply.headers.get('content-disposition'), `attachment; filename="A film (${rung?.id}).mp4"`)
    t.equal(bytes.length, size)
    const { problems, seconds, streams } = await facts(t, bytes)
    t.equal(problems, '')
    t.ok(Math.abs(seconds - 20) < 0.2, `${seconds} s`)
    t.match(streams, [{ codec_name: 'h264', height: rung?.height }, { codec_name: 'aac' }])
    t.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'), 'the index is at the beginning')
    const etag = reply.headers.get('etag') ?? ''
    t.match(etag, /^"[\w-]+"$/)
    const half = Math.floor(size / 2)
    const first = await bytesOf(world, url, { range: `bytes=0-${half - 1}` })
    const rest = await bytesOf(world, url, { range: `bytes=${half}-`, 'if-range': etag })
    t.equal(rest.reply.status, 206)
    t.ok(Buffer.concat([first.bytes, rest.bytes]).equals(bytes), 'the parts are the file')
    t.equal((await bytesOf(world, url, { range: 'bytes=0-1', 'if-range': '"other"' })).reply.status, 200)
    t.match(
      await world.of('POST', path),
      { json: { status: 'ready', id: pick(asked.json, 'id') } },
      'it is not made again',
    )
    t.match(await downloadStats(world.services), { files: 1, bytes: size })
    t.match(await world.of('GET', `${id}/download`), { status: 200, json: { url: new RegExp(`^/media/${id}/stream`) } })
  },
)

void t.test('a film of several files becomes one file', async (t) => {
  const world = await setup(t, { 'Two (1981) cd1.mkv': 'film-mkv', 'Two (1981) cd2.mkv': 'film-mkv' })
  const id = world.idOf('Two')
  work(t, world.services)
  const ladder = pick((await world.of('GET', `${id}/playback-info`)).json, 'quality_ladder') as {
    id: string
    is_copy: boolean
  }[]
  const path = `${id}/download?rung=${ladder.findLast(({ is_copy: isCopy }) => !isCopy)?.id}`
  await world.of('POST', path)
  const { problems, seconds } = await facts(t, (await bytesOf(world, (await untilReady(world, path)).url)).bytes)
  t.equal(problems, '')
  t.ok(Math.abs(seconds - 40) < 0.4, `${seconds} s`)
})

void t.test('after a restart of the work no segment is asked for twice, and players come first', async (t) => {
  const world = await setup(t, { 'A film (1999).mkv': 'film-mkv' })
  const { services } = world
  const path = `${world.idOf('A film')}/download?quality=360p`
  t.equal((await world.of('POST', path)).status, 202)
  const asked: number[] = []
  const held = Promise.withResolvers<void>()
  let wanted = 1
  const observed = (stopsAt: number): SigningServices => {
    const open = async (request: SegmentRequest, signal?: AbortSignal) => {
      if (request.index === stopsAt) {
        held.resolve()
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))))
      }
      asked.push(request.index)
      return services.segments.open(request, signal)
    }
    const counts = {
      get wanted() {
        return wanted
      },
      encoders: 0,
      suspended: 0,
    }
    return { ...services, segments: { open, counts, cache: services.segments.cache } as never }
  }
  const first = observed(3)
  const before = startDownloadWorker(first)
  await waitUntil('it has begun', async () => pick((await world.of('GET', path)).json, 'status') === 'running')
  t.strictSame(asked, [], 'a player waits')
  wanted = 0
  await held.promise
  await before.stop()
  t.strictSame(asked, [0, 1, 2])
  t.match(await world.of('GET', path), { json: { status: 'running' } })
  work(t, observed(-1))
  const { url } = await untilReady(world, path)
  t.strictSame(asked, [...asked.keys()], 'each once, in order')
  t.ok(Math.abs((await facts(t, (await bytesOf(world, url)).bytes)).seconds - 20) < 0.2)
  t.strictSame(
    (await readdir(join(services.config.dataDirectory, 'cache', 'downloads'))).length,
    1,
    'only the film is kept',
  )
})

void t.test('what is not offered, not there or not visible is refused', async (t) => {
  const world = await setup(t, { 'A film (1999).mkv': 'film-mkv', 'Song (1999).mp4': 'film-mp4' })
  const id = world.idOf('A film')
  const unknown = await world.of('POST', `${id}/download?quality=9999p`)
  t.equal(codeOf(unknown), '422 quality_unknown')
  t.ok((pick(unknown.json, 'qualities') as string[]).includes('360p'))
  for (const quality of ['', '..', '360p/..', "'", 'a'.repeat(32)])
    t.match(codeOf(await world.of('POST', `${id}/download?quality=${encodeURIComponent(quality)}`)), /^4\d\d /, quality)
  t.equal(
    codeOf(await world.of('POST', `00000000-0000-4000-8000-000000000000/download?quality=360p`)),
    '404 media_item_not_found',
  )
  t.equal((await world.ask('POST', `/api/v1/media/${id}/download?quality=360p`)).status, 401)
  t.equal((await world.ask('GET', `/media/${id}/download/360p`)).status, 401)
  await world.of('POST', `${id}/download?quality=360p`)
  const { exp, sig } = world.services.signer.sign(`/media/${id}/download/360p`)
  t.equal(
    codeOf(await world.ask('GET', `/media/${id}/download/360p`, { token: world.user.token })),
    '404 download_not_found',
    'it is not ready',
  )
  t.equal((await world.ask('GET', `/media/${id}/download/480p?exp=${exp}&sig=${sig}`)).status, 403)
  await setAccess(world.services, { accountId: world.user.account.id, changes: { libraryIds: [] } })
  t.equal(codeOf(await world.of('GET', `${id}/download?quality=360p`)), '404 media_item_not_found')
  t.equal(codeOf(await world.of('POST', `${id}/download?quality=360p`)), '404 media_item_not_found')
})

void t.test('downloads have a limit, and are removed after a week without a reader', async (t) => {
  const world = await setup(t, { 'A film (1999).mkv': 'film-mkv' }, { 'downloads.cache_bytes': '1048576' })
  const { services } = world
  const { db, clock } = services
  const path = `${world.idOf('A film')}/download?quality=360p`
  await world.of('POST', path)
  await db.query(sql.unsafe`update downloads set status = 'ready', size_bytes = 5`)
  const id = String(await db.oneFirst(sql.unsafe`select id from downloads`))
  const folder = join(services.config.dataDirectory, 'cache', 'downloads')
  const { mkdir } = await import('node:fs/promises')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${id}.mp4`), 'bytes')
  t.strictSame(await sweepDownloads(services), { files: 0, bytes: 0 })
  const week = { ...clock, now: () => new Date(clock.now().getTime() + 8 * 86_400_000) }
  t.strictSame(await sweepDownloads({ ...services, clock: week }), { files: 1, bytes: 5 })
  t.equal(codeOf(await world.of('GET', path)), '404 download_not_found')
  await world.of('POST', path)
  const again = String(await db.oneFirst(sql.unsafe`select id from downloads`))
  await db.query(sql.unsafe`update downloads set status = 'ready', size_bytes = 5`)
  await writeFile(join(folder, `${again}.mp4`), Buffer.alloc(2_000_000))
  t.strictSame(await sweepDownloads(services), { files: 1, bytes: 2_000_000 }, 'above the limit')
})
