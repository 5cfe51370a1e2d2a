import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { copyFileSync, linkSync, mkdirSync, readFileSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { sampleMedia, type SampleKind } from '../support/media.ts'
import { reachableDirectory } from '../support/directories.ts'
import { freePort } from '../support/free-port.ts'
import { untilNoProcessOf } from '../support/processes.ts'

/** Faults F-01 and F-03, M6 and M7: kill -9 of the daemon, of the postmaster, and of both, while libraries of several types are scanned. */

const ROOT = join(import.meta.dirname, '..', '..')
const KILLS = 20
const PASSWORD = 'correct horse battery'

type Daemon = { child: ChildProcess; url: string; log: () => string }

type Corpus = { type: 'movie' | 'series' | 'music'; sample: SampleKind; paths: string[]; groups: string[] }

const counted = (count: number, pathOf: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => pathOf(index))

/** Films and episodes of a kind that ffprobe must read, so that their scans last long enough to be killed often. */
const CORPORA: Corpus[] = [
  {
    type: 'movie',
    sample: 'film-mpg',
    paths: counted(50, (index) => `Film ${index} (${1950 + index})/Film ${index} (${1950 + index}).mp4`),
    groups: [],
  },
  {
    type: 'series',
    sample: 'film-mpg',
    paths: counted(40, (index) => `Show/Season ${(index % 5) + 1}/Show S0${(index % 5) + 1}E${10 + index}.mp4`),
    groups: ['Season 1', 'Season 2', 'Season 3', 'Season 4', 'Season 5', 'Show'],
  },
  {
    type: 'music',
    sample: 'song-mp3',
    paths: counted(50, (index) => `Artist/Album ${index % 4}/Song ${index}.mp3`),
    groups: [],
  },
]

type Scanned = Corpus & { folder: string; id: string; job: string }

void t.test(
  '20 kills of daemon, postmaster or both in scans of three libraries lose nothing and leave nothing behind',
  { timeout: 400_000 },
  async (t) => {
    const dataDirectory = reachableDirectory(t)
    const folders = await Promise.all(CORPORA.map((corpus) => makeCorpus(reachableDirectory(t), corpus)))
    const port = await freePort()
    let daemon = await startDaemon(dataDirectory, port)
    t.teardown(() => daemon.child.kill('SIGKILL'))
    const token = await registerAdmin(daemon.url)
    const libraries: Scanned[] = []
    for (const [index, corpus] of CORPORA.entries()) {
      const folder = folders[index] ?? ''
      libraries.push({
        ...corpus,
        folder,
        ...(await createLibrary(daemon.url, token, { type: corpus.type, path: folder })),
      })
    }
    const kills: string[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      const library = libraries[kill % libraries.length] as Scanned
      const status = await underWay(daemon.url, token, library)
      await pause(randomInt(0, 400))
      const victim = (['daemon', 'postmaster', 'both'] as const)[randomInt(3)] ?? 'both'
      kills.push(`${victim} (${library.type} ${status})`)
      if (victim !== 'daemon') killPostmaster(dataDirectory)
      if (victim !== 'postmaster') {
        const ended = new Promise((resolve) => daemon.child.once('exit', resolve))
        daemon.child.kill('SIGKILL')
        await ended
        daemon = await startDaemon(dataDirectory, port)
      }
    }
    t.comment(`killed: ${kills.join(', ')}`)
    await untilReady(daemon)
    for (const library of libraries) await t.test(library.type, (t) => holdsAll(t, { url: daemon.url, token, library }))

    const ended = new Promise((resolve) => daemon.child.once('exit', resolve))
    daemon.child.kill('SIGTERM')
    t.equal(await ended, 0, 'the daemon stops by itself')
    t.strictSame(await untilNoProcessOf(dataDirectory), [], 'no process of this data directory remains')
  },
)

async function holdsAll(
  t: Test,
  { url, token, library }: { url: string; token: string; library: Scanned },
): Promise<void> {
  const last = await untilScanEnds(url, token, library.id)
  t.equal(last['status'], 'completed', 'the scan completes after all')
  t.equal(last['error'], null, 'without an error')
  const path = `/api/v1/libraries/${library.id}/scan-history?limit=100`
  const { history } = (await requestJson(url, { method: 'GET', path, token })) as {
    history: { id: string; status: string }[]
  }
  t.strictSame(
    history.filter((row) => row.status !== 'completed'),
    [],
    'no job is left queued or running',
  )
  t.ok(
    history.some((row) => row.id === library.job),
    'the first job kept its id through the kills',
  )
  const items = await allItems(url, token, library.id)
  const files = items.flatMap((item) => (item.path === null ? [] : [item.path.slice(library.folder.length + 1)]))
  t.strictSame(files.toSorted(), library.paths.toSorted(), 'every file is there, and only once')
  const groups = items.filter((item) => item.path === null)
  t.strictSame(groups.map(({ name }) => name).toSorted(), library.groups, 'and what they belong to')
  const ids = new Set(groups.map(({ id }) => id))
  const orphans = items.filter((item) => item.parent_id !== null && !ids.has(item.parent_id))
  t.strictSame(orphans, [], 'nothing belongs to what is not there')
}

/** Same bytes under many names: hard links, so that the corpus costs nothing, and that all of it changes when one file does. */
async function makeCorpus(folder: string, { sample, paths }: Corpus): Promise<string> {
  const first = join(folder, 'source.bin')
  copyFileSync(await sampleMedia(sample), first)
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    linkSync(first, join(folder, path))
  }
  return folder
}

/** Waits until a scan of the library runs; one whose scans are all done changes, every file of it, and is scanned again. */
async function underWay(url: string, token: string, { id, folder }: Scanned): Promise<string> {
  const first = await scanStatus(url, token, id)
  if (first?.['status'] === 'completed') {
    utimesSync(join(folder, 'source.bin'), new Date(), new Date())
    await requestJson(url, { method: 'POST', path: `/api/v1/libraries/${id}/rescan`, token })
  }
  for (let tries = 0; tries < 25; tries++) {
    const status = (await scanStatus(url, token, id))?.['status']
    if (status !== 'queued') return String(status)
    await pause(20)
  }
  return 'queued'
}

async function startDaemon(dataDirectory: string, port: number): Promise<Daemon> {
  const ports = ['--port', String(port), '--websocket-port', '0']
  const words = ['serve', '--host', '127.0.0.1', ...ports, '--data-dir', dataDirectory]
  const child = spawn(join(ROOT, 'bin', 'phlix'), words, { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-20_000)
  })
  const daemon = { child, url: `http://127.0.0.1:${port}`, log: () => log }
  await untilReady(daemon)
  return daemon
}

/** A killed postmaster's backends may keep its lock for a while; the start retries for at least 30 s (M7). */
async function untilReady(daemon: Daemon): Promise<void> {
  for (let tries = 0; tries < 450; tries++) {
    const reply = await fetch(`${daemon.url}/readyz`).catch(() => undefined)
    if (reply?.ok) return
    if (daemon.child.exitCode !== null)
      throw new Error(`the daemon ended with ${daemon.child.exitCode}: ${daemon.log()}`)
    await pause(100)
  }
  throw new Error(`the daemon never became ready: ${daemon.log()}`)
}

type JsonRequest = { method: string; path: string; token?: string; body?: unknown }

/** A reply's JSON; 5xx and broken connections are retried, because the database may just be coming back. */
async function requestJson(url: string, { method, path, token, body }: JsonRequest): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < 300; tries++) {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    if (reply !== undefined && reply.status < 500) return (await reply.json()) as Record<string, unknown>
    await pause(100)
  }
  throw new Error(`${method} ${path} never answered`)
}

async function registerAdmin(url: string): Promise<string> {
  const reply = await requestJson(url, {
    method: 'POST',
    path: '/api/v1/auth/register',
    body: { email: 'admin@example.org', username: 'admin', password: PASSWORD },
  })
  return String(reply['access_token'])
}

async function createLibrary(
  url: string,
  token: string,
  wish: { type: string; path: string },
): Promise<{ id: string; job: string }> {
  const body = { name: wish.type, ...wish }
  const reply = await requestJson(url, { method: 'POST', path: '/api/v1/libraries', token, body })
  return { id: String(reply['id']), job: String(reply['job_id']) }
}

async function scanStatus(url: string, token: string, library: string): Promise<Record<string, unknown> | null> {
  const reply = await requestJson(url, { method: 'GET', path: `/api/v1/libraries/${library}/scan-status`, token })
  return reply['scan_status'] as Record<string, unknown> | null
}

async function untilScanEnds(url: string, token: string, library: string): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < 1200; tries++) {
    const status = await scanStatus(url, token, library)
    if (status !== null && status['status'] !== 'queued' && status['status'] !== 'running') return status
    await pause(100)
  }
  throw new Error('the scan never ended')
}

type Item = { id: string; name: string; path: string | null; parent_id: string | null }

async function allItems(url: string, token: string, library: string): Promise<Item[]> {
  const all: Item[] = []
  for (let offset = 0; ; offset += 100) {
    const path = `/api/v1/media?libraryId=${library}&limit=100&offset=${offset}`
    const { items } = (await requestJson(url, { method: 'GET', path, token })) as { items: Item[] }
    if (items.length === 0) return all
    all.push(...items)
  }
}

function killPostmaster(dataDirectory: string): void {
  try {
    const [pid] = readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
  } catch {
    // It is just being restarted after the kill before: then this kill finds nobody.
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
