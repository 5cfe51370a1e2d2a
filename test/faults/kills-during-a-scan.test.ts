import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { copyFileSync, linkSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sampleMedia } from '../support/media.ts'
import { reachableDirectory } from '../support/directories.ts'
import { freePort } from '../support/free-port.ts'
import { untilNoProcessOf } from '../support/processes.ts'

/** Faults F-01 and F-03, M6 and M7: kill -9 of the daemon, of the postmaster, and of both, while a scan runs. */

const ROOT = join(import.meta.dirname, '..', '..')
const KILLS = 20
const FILMS = 160
const PASSWORD = 'correct horse battery'

type Victim = 'daemon' | 'postmaster' | 'both'

type Daemon = { child: ChildProcess; url: string; log: () => string }

void t.test(
  '20 kills of daemon, postmaster or both lose nothing and leave nothing behind',
  { timeout: 300_000 },
  async (t) => {
    const dataDirectory = reachableDirectory(t)
    const films = reachableDirectory(t)
    await makeFilms(films)
    const port = await freePort()
    let daemon = await startDaemon(dataDirectory, port)
    t.teardown(() => daemon.child.kill('SIGKILL'))
    const token = await registerAdmin(daemon.url)
    const { library, job } = await createLibrary(daemon.url, token, films)
    const kills: Victim[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      const victim = (['daemon', 'postmaster', 'both'] as const)[randomInt(3)] ?? 'both'
      kills.push(victim)
      await pause(randomInt(100, 1200))
      const status = await scanStatus(daemon.url, token, library)
      if (status?.['status'] === 'completed')
        await requestJson(daemon.url, { method: 'POST', path: `/api/v1/libraries/${library}/rescan`, token })
      if (victim !== 'daemon') killPostmaster(dataDirectory)
      if (victim !== 'postmaster') {
        const ended = new Promise((resolve) => daemon.child.once('exit', resolve))
        daemon.child.kill('SIGKILL')
        await ended
        daemon = await startDaemon(dataDirectory, port)
      }
    }
    t.comment(`killed: ${kills.join(' ')}`)
    await untilReady(daemon)
    const last = await untilScanEnds(daemon.url, token, library)
    t.equal(last['status'], 'completed', 'the scan completes after all')
    t.equal(last['error'], null, 'without an error')

    const { history } = (await requestJson(daemon.url, {
      method: 'GET',
      path: `/api/v1/libraries/${library}/scan-history?limit=100`,
      token,
    })) as {
      history: { id: string; status: string }[]
    }
    t.strictSame(
      history.filter((row) => row.status !== 'completed'),
      [],
      'no job is left queued or running',
    )
    t.ok(
      history.some((row) => row.id === job),
      'the first job kept its id through the kills',
    )

    const names = await allNames(daemon.url, token, library)
    t.equal(names.length, FILMS, 'every film is there')
    t.equal(new Set(names).size, FILMS, 'and only once')

    const ended = new Promise((resolve) => daemon.child.once('exit', resolve))
    daemon.child.kill('SIGTERM')
    t.equal(await ended, 0, 'the daemon stops by itself')
    t.strictSame(await untilNoProcessOf(dataDirectory), [], 'no process of this data directory remains')
  },
)

/** Same bytes under many names: hard links, so that the corpus costs nothing. */
async function makeFilms(folder: string): Promise<void> {
  // Of a kind that ffprobe must read, so that the scan lasts long enough to be killed often.
  const sample = await sampleMedia('film-mpg')
  const first = join(folder, 'source.bin')
  copyFileSync(sample, first)
  for (let index = 0; index < FILMS; index++) {
    const name = `Film ${String(index).padStart(3, '0')} (${1950 + (index % 70)})`
    mkdirSync(join(folder, name))
    linkSync(first, join(folder, name, `${name}.mp4`))
  }
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

async function createLibrary(url: string, token: string, path: string): Promise<{ library: string; job: string }> {
  const reply = await requestJson(url, {
    method: 'POST',
    path: '/api/v1/libraries',
    token,
    body: { name: 'Films', type: 'movie', path },
  })
  return { library: String(reply['id']), job: String(reply['job_id']) }
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

async function allNames(url: string, token: string, library: string): Promise<string[]> {
  const names: string[] = []
  for (let offset = 0; ; offset += 100) {
    const path = `/api/v1/media?libraryId=${library}&limit=100&offset=${offset}`
    const { items } = (await requestJson(url, { method: 'GET', path: path, token })) as { items: { name: string }[] }
    if (items.length === 0) return names
    names.push(...items.map((item) => item.name))
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
