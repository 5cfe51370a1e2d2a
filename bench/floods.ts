import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import type { Database } from '../src/core/platform/database/index.ts'
import { fillCatalogue, FILMS } from './api-catalogue.ts'
import { logIn, PASSWORD, percentile } from './clients.ts'
import { floodKinds, type Ask, type FloodKind, type Target } from './flood-kinds.ts'
import type { Probes } from './health-prober.ts'
import { whileServing, withFilledData } from './new-server.ts'
import type { Figure } from './run.ts'

const ITEMS = Number(process.env['PHLIX_BENCH_ITEMS'] ?? 20_000)
const REQUESTS = 1000
const CLIENTS = 20
const IDLE_SECONDS = 5
/** The longest time for one kind. */
const MAX_MILLISECONDS = Number(process.env['PHLIX_BENCH_SECONDS'] ?? 30) * 1000

/** The limits for the p99 of `/healthz` and for the growth of memory while one user sends 1,000 requests of a kind. */
const TARGETS = { p99Milliseconds: 100, growth: 1.5 }

/**
 * The effect of a plain user on others: 1,000 requests of each kind, 20 of them concurrent, while a probe requests `/healthz`.
 * `PHLIX_BENCH_KIND` is a regular expression that selects kinds by name, and `PHLIX_BENCH_SECONDS` limits the time of each kind. A new daemon
 * is started for each kind, so that the memory of one kind does not count for the next. Memory is compared with that after ordinary requests.
 */
export async function benchFloods(): Promise<Figure[]> {
  const fill = (database: Database) => fillCatalogue(database, ITEMS)
  return withFilledData({ name: 'floods', isAdmin: false, fill }, async ({ dataDirectory }) => {
    const withDaemon = <Result>(work: (daemon: Daemon) => Promise<Result>): Promise<Result> =>
      whileServing(dataDirectory, ({ address, child }) => work({ baseUrl: address, pid: child.pid ?? 0 }))
    const stock = await withDaemon(makeStock)
    const part = process.env['PHLIX_BENCH_KIND'] ?? ''
    const figures: Figure[] = []
    for (const kind of floodKinds(stock.target, stock.made).filter(({ name }) => new RegExp(part, 'u').test(name)))
      figures.push(...(await withDaemon((daemon) => flood(daemon, kind, stock))))
    return figures
  })
}

type Daemon = { baseUrl: string; pid: number }

async function flood({ baseUrl, pid }: Daemon, kind: FloodKind, stock: Stock): Promise<Figure[]> {
  const prober = new Worker(new URL('health-prober.ts', import.meta.url), { workerData: { baseUrl, pid } })
  const read = async (): Promise<Probes> => {
    prober.postMessage('read')
    const [probes] = (await once(prober, 'message')) as [Probes]
    return probes
  }
  try {
    const send = await createSender(baseUrl, stock.newest)
    await askOrdinaryQuestions(send, stock.target)
    await read()
    await pause(IDLE_SECONDS * 1000)
    const atRest = await read()
    const statuses = await sendAll(kind, send)
    const { waits, residentMebibytes } = await read()
    const [p99, restP99] = [percentile(waits, 0.99), percentile(atRest.waits, 0.99)]
    const growth = residentMebibytes / atRest.residentMebibytes
    const isBad = p99 > TARGETS.p99Milliseconds || growth > TARGETS.growth
    process.stderr.write(
      `${isBad ? 'BAD ' : 'ok  '} ${kind.name.padEnd(35)} p99 ${p99.toFixed(0).padStart(5)} ms of ${waits.length} ` +
        `(at rest ${restP99.toFixed(0)} ms), memory ${residentMebibytes.toFixed(0)} MiB ${growth.toFixed(2)}x, answers ${statuses}\n`,
    )
    return [
      {
        name: `/healthz p99, ${kind.name}`,
        ours: p99,
        peer: TARGETS.p99Milliseconds,
        unit: 'ms',
        peerName: 'target',
      },
      {
        name: `memory, ${kind.name}`,
        ours: residentMebibytes,
        peer: atRest.residentMebibytes,
        unit: 'MiB',
        peerName: 'at rest',
      },
    ]
  } finally {
    await prober.terminate()
  }
}

type Send = (ask: Ask) => Promise<{ status: number; text: string }>

/** The ids of the newest collection and smart playlist of the user. */
type Newest = { collection: string; smart: string }

/** Data that exist before the floods, in all daemons. */
type Stock = { target: Target; newest: Newest; made: { collection: () => string; smart: () => string } }

async function makeStock({ baseUrl }: Daemon): Promise<Stock> {
  const newest: Newest = { collection: '', smart: '' }
  const api = await logIn(baseUrl)
  const itemIds: string[] = []
  for (let offset = 0; itemIds.length < 5000; offset += 100) {
    const page = (await api('GET', `/api/v1/media?libraryId=${FILMS}&limit=100&offset=${offset}`)) as {
      items: { id: string }[]
    }
    if (page.items.length === 0) break
    itemIds.push(...page.items.map(({ id }) => id))
  }
  const { session_id: sessionId } = (await api('POST', '/api/v1/sessions', {})) as { session_id: string }
  const send = await createSender(baseUrl, newest)
  const own = { name: 'First', library_id: FILMS }
  await send({ method: 'POST', path: '/collections', body: JSON.stringify(own) })
  const rules = { logic: 'and', rules: [] }
  await send({ method: 'POST', path: '/smart-playlists', body: JSON.stringify({ ...own, rules_json: rules }) })
  const smart = { name: 'Smart', library_id: FILMS, smart_playlist_id: newest.smart }
  const { collection } = (await api('POST', '/api/v1/collections', smart)) as { collection: { id: string } }
  return {
    target: { libraryId: FILMS, itemIds, sessionId, smartCollectionId: collection.id, picture: await makePicture() },
    newest,
    made: { collection: () => newest.collection, smart: () => newest.smart },
  }
}

/** A JPEG of 24 megapixels and nearly 8 MB. */
function makePicture(): Promise<Buffer> {
  const [width, height] = [6000, 4000]
  return sharp(randomBytes(width * height), { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 30 })
    .toBuffer()
}

/** Sends the requests of a client that starts. */
async function askOrdinaryQuestions(send: Send, { itemIds }: Target): Promise<void> {
  for (let offset = 0; offset < itemIds.length; offset += 100)
    await send({ method: 'GET', path: `/media?libraryId=${FILMS}&limit=100&offset=${offset}` })
  for (const id of itemIds.slice(0, 200)) await send({ method: 'GET', path: `/media/${id}` })
}

/** Signs in. The returned function updates `newest` when the user creates a collection or smart playlist. */
async function createSender(baseUrl: string, newest: Newest): Promise<Send> {
  const login = await fetch(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ann', password: PASSWORD }),
  })
  const { access_token: token } = (await login.json()) as { access_token: string }
  return async ({ method, path, body, contentType = 'application/json' }) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': contentType }) }
    const reply = await fetch(`${baseUrl}/api/v1${path}`, { method, headers, body: body ?? null })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const text = bytes.toString('latin1', 0, 200)
    const id = /"id":"([^"]+)"/.exec(text)?.[1]
    if (reply.status === 201 && id !== undefined && path === '/collections') newest.collection = id
    if (reply.status === 201 && id !== undefined && path === '/smart-playlists') newest.smart = id
    return { status: reply.status, text }
  }
}

/** Sends the requests until all have replies or the time is over. Returns the number of replies by status. */
async function sendAll({ ask }: FloodKind, send: Send): Promise<string> {
  const counts = new Map<number, number>()
  const end = performance.now() + MAX_MILLISECONDS
  let next = 0
  const client = async (): Promise<void> => {
    while (next < REQUESTS && performance.now() < end) {
      const { status } = await send(ask((next += 1))).catch(() => ({ status: 0 }))
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return [...counts].map(([status, count]) => `${count}x${status}`).join(' ')
}
