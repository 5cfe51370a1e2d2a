import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type QuerySqlToken } from 'slonik'
import { loadConfig } from '../src/core/platform/config/index.ts'
import { openDatabase, type Database } from '../src/core/platform/database/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { fillCatalogue, FILMS, SERIES } from './api-catalogue.ts'
import type { Figure } from './run.ts'
import { PHLIX, startServer, stop, timed } from './start.ts'

const ITEMS = Number(process.env['PHLIX_BENCH_ITEMS'] ?? 1_000_000)
const CLIENTS = 50
const REQUESTS = 1000
/** The first of each client; caches of the database fill, connections are made. */
const WARM_UP = 100
const PASSWORD = 'correct horse'

/** A request, and the plainest SQL that would fetch the same rows; `round` makes each of a series of questions another one. */
type Question = { name: string; path: (round: number) => string; bare: (round: number) => QuerySqlToken }

const columns = sql.fragment`
  id, library_id, parent_id, type, name, sort_title, year, path, duration_seconds, metadata, local_metadata, added_at, created_at, updated_at`

const inFilms = sql.fragment`library_id = ${FILMS} and role is null`

const DEEP = Math.floor(ITEMS / 10)

const WORDS = ['badelfi', 'gorhal', 'jukanlo', 'mernipas', 'rosil', 'tanvizo', 'bababa', 'lolo', 'zozo', 'nini']
const TYPOS = ['badefli', 'gorahl', 'jukalno', 'mernpias', 'rosli', 'tanvioz']

const QUESTIONS: readonly Question[] = [
  {
    name: 'first page by name',
    path: () => `/media?libraryId=${FILMS}&topLevel=1`,
    bare: () => sql.unsafe`
      select ${columns} from media_items where ${inFilms} and parent_id is null order by sort_key, id limit 50`,
  },
  {
    name: `page at ${DEEP} by name`,
    path: (round) => `/media?libraryId=${FILMS}&topLevel=1&offset=${DEEP + round}`,
    bare: (round) => sql.unsafe`
      select ${columns} from media_items where ${inFilms} and parent_id is null order by sort_key, id limit 50 offset ${DEEP + round}`,
  },
  {
    name: `page at ${DEEP} by time`,
    path: (round) => `/media?sort=added&order=desc&offset=${DEEP + round}`,
    bare: (round) => sql.unsafe`
      select ${columns} from media_items where ${inFilms} and parent_id is null order by added_at desc, id desc limit 50 offset ${DEEP + round}`,
  },
  {
    name: 'newest of everything',
    path: () => '/media?sort=added&order=desc&limit=20',
    bare: () => sql.unsafe`
      select ${columns} from media_items where ${inFilms} and parent_id is null order by added_at desc, id desc limit 20`,
  },
  {
    name: 'series at the top',
    path: (round) => `/media?libraryId=${SERIES}&topLevel=1&offset=${round % 100}`,
    bare: (round) => sql.unsafe`
      select ${columns} from media_items where library_id = ${SERIES} and role is null and parent_id is null
      order by sort_key, id limit 50 offset ${round % 100}`,
  },
  {
    name: 'a genre',
    path: (round) => `/media?libraryId=${FILMS}&topLevel=1&genres[]=Genre%20${round % 20}`,
    bare: (round) => sql.unsafe`
      select ${columns} from media_items where ${inFilms} and parent_id is null and facets && array[${`g:genre ${round % 20}`}]
      order by sort_key, id limit 50`,
  },
  {
    name: 'an actor and a genre',
    path: (round) => `/media?actors[]=Actor%20${round % 50}&genres[]=Genre%20${round % 20}`,
    bare: (round) => sql.unsafe`
      select ${columns} from media_items where role is null and facets && array[${`g:genre ${round % 20}`}]
        and facets && array[${`a:actor ${round % 50}`}] order by sort_key, id limit 50`,
  },
  {
    name: 'a range of years',
    path: (round) => `/media?libraryId=${FILMS}&yearFrom=${1950 + (round % 60)}&yearTo=${1955 + (round % 60)}`,
    bare: (round) => sql.unsafe`
      select ${columns} from media_items where ${inFilms} and parent_id is null
        and year between ${1950 + (round % 60)} and ${1955 + (round % 60)} order by sort_key, id limit 50`,
  },
  {
    name: 'search of a word',
    path: (round) => `/media/search?q=${WORDS[round % WORDS.length]}`,
    bare: (round) => sql.unsafe`
      select ${columns} from media_items where role is null and search_name like ${`%${WORDS[round % WORDS.length]}%`} order by sort_key limit 50`,
  },
  {
    name: 'search of three letters',
    path: (round) => `/media/search?q=${(WORDS[round % WORDS.length] ?? '').slice(0, 3)}`,
    bare: (round) => sql.unsafe`
      select ${columns} from media_items where role is null and search_name like ${`%${(WORDS[round % WORDS.length] ?? '').slice(0, 3)}%`}
      order by sort_key limit 50`,
  },
  {
    name: 'search with a typing error',
    path: (round) => `/media/search?q=${TYPOS[round % TYPOS.length]}`,
    bare: (round) => sql.unsafe`
      select ${columns} from media_items where role is null and ${TYPOS[round % TYPOS.length] ?? ''} <% search_name limit 50`,
  },
  {
    name: 'letters of a library',
    path: () => `/media/letter-index?libraryId=${FILMS}&topLevel=1`,
    bare: () => sql.unsafe`select name_letter(sort_key), count(*) from media_items where ${inFilms} group by 1`,
  },
]

/** Questions that clients ask, of a large catalogue, by 50 of them at the same time over kept connections. */
export async function benchApi(): Promise<Figure[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'phlix-bench-api-'))
  chmodSync(dataDirectory, 0o711)
  const config = loadConfig({ dataDirectory, environment: {} })
  const log = await createLogger(config, { level: 'error' })
  timed(PHLIX, ['migrate', '--data-dir', dataDirectory])
  const create = ['user:create', 'ann', '--email', 'ann@example.test', '--password-stdin']
  timed(PHLIX, [...create, '--data-dir', dataDirectory], PASSWORD)
  const database = await openDatabase({ config, log, statementTimeoutSeconds: 3600 })
  const words = ['serve', '--host', '127.0.0.1', '--websocket-port', '0', '--data-dir', dataDirectory]
  const { child, port } = await startServer((free) => [PHLIX, [...words, '--port', String(free)]])
  try {
    await fillCatalogue(database.pool, ITEMS)
    return await askAll(database.pool, port)
  } finally {
    await stop(child)
    await database.close()
    await untilStopped(dataDirectory)
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

/** The engine stops a moment after the last one left, and writes until then. */
async function untilStopped(dataDirectory: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (existsSync(join(dataDirectory, 'postgres', 'postmaster.pid')) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function askAll(db: Database, port: number): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${await logIn(port)}` }
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const figures: Figure[] = []
  for (const { name, path, bare } of QUESTIONS) {
    const ours = await timesOf((round) => ask({ port, path: `/api/v1${path(round)}`, agent, headers }))
    const peer = await timesOf(async (round) => void (await db.query(bare(round))))
    for (const percent of [50, 99]) {
      const both = { ours: percentile(ours, percent), peer: percentile(peer, percent) }
      figures.push({ name: `${name}, p${percent}`, ...both, unit: 'ms', peerName: 'bare SQL' })
    }
  }
  agent.destroy()
  return figures
}

/** Milliseconds of each of a number of calls, as many of them at the same time as there are clients. */
async function timesOf(call: (round: number) => Promise<void>): Promise<number[]> {
  const times: number[] = []
  let next = 0
  const client = async (): Promise<void> => {
    while (next < WARM_UP + REQUESTS) {
      const round = (next += 1)
      const started = performance.now()
      await call(round)
      if (round > WARM_UP) times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return times
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

type Call = { port: number; path: string; agent: Agent; headers: Record<string, string> }

function ask({ port, ...call }: Call): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, ...call }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`${call.path} was answered ${reply.statusCode}`))
      reply.once('end', resolve).once('error', reject).resume()
    }).once('error', reject)
  })
}

async function logIn(port: number): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ann', password: PASSWORD }),
  })
  const { access_token: token } = (await reply.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`the login was answered ${reply.status}`)
  return token
}
