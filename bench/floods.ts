import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Database } from '../src/core/platform/database/index.ts'
import { fillCatalogue, FILMS } from './api-catalogue.ts'
import { logIn, PASSWORD, percentile, type Api } from './clients.ts'
import { floodKinds, type Ask, type FloodKind } from './flood-kinds.ts'
import type { Probes } from './health-prober.ts'
import { whileServingFilled } from './new-server.ts'
import type { Figure } from './run.ts'

const ITEMS = Number(process.env['PHLIX_BENCH_ITEMS'] ?? 20_000)
const REQUESTS = 1000
const CLIENTS = 20
const IDLE_SECONDS = 5
/** No kind takes longer, however slow its answers are. */
const MAX_MILLISECONDS = Number(process.env['PHLIX_BENCH_SECONDS'] ?? 30) * 1000

/** What `/healthz` may take and how much the memory may grow while one user sends 1,000 requests of a kind. */
const TARGETS = { p99Milliseconds: 100, growth: 1.5 }

/**
 * What a plain user can do to others: 1,000 requests of each kind, 20 at the same time, while a probe asks `/healthz`. `PHLIX_BENCH_KIND`
 * is part of the names of the kinds to send, and `PHLIX_BENCH_SECONDS` the longest time for each. The memory is compared with that of the daemon after ordinary questions.
 */
export async function benchFloods(): Promise<Figure[]> {
  const fill = (database: Database) => fillCatalogue(database, ITEMS)
  return whileServingFilled({ name: 'floods', isAdmin: false, fill }, ({ address, child }) =>
    flood(address, child.pid ?? 0),
  )
}

async function flood(baseUrl: string, pid: number): Promise<Figure[]> {
  const prober = new Worker(new URL('health-prober.ts', import.meta.url), { workerData: { baseUrl, pid } })
  const read = async (): Promise<Probes> => {
    prober.postMessage('read')
    const [probes] = (await once(prober, 'message')) as [Probes]
    return probes
  }
  try {
    const api = await logIn(baseUrl)
    const { send, kinds } = await prepare(api, baseUrl)
    await read()
    await pause(IDLE_SECONDS * 1000)
    const atRest = await read()
    const restP99 = percentile(atRest.waits, 0.99)
    process.stderr.write(`at rest: p99 ${restP99.toFixed(0)} ms, memory ${atRest.residentMebibytes.toFixed(0)} MiB\n`)
    const figures: Figure[] = []
    for (const kind of kinds) {
      const statuses = await sendAll(kind, send)
      const { waits, residentMebibytes } = await read()
      const p99 = percentile(waits, 0.99)
      const growth = residentMebibytes / atRest.residentMebibytes
      const isBad = p99 > TARGETS.p99Milliseconds || growth > TARGETS.growth
      process.stderr.write(
        `${isBad ? 'BAD ' : 'ok  '} ${kind.name.padEnd(32)} p99 ${p99.toFixed(0).padStart(5)} ms of ${waits.length}, ` +
          `memory ${residentMebibytes.toFixed(0)} MiB ${growth.toFixed(2)}x, answers ${statuses}\n`,
      )
      figures.push(
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
      )
    }
    return figures
  } finally {
    await prober.terminate()
  }
}

type Send = (ask: Ask) => Promise<{ status: number; text: string }>

/** Asks what a client asks when it starts, and notes the newest things that the user has made. */
async function prepare(api: Api, baseUrl: string): Promise<{ send: Send; kinds: FloodKind[] }> {
  const login = await fetch(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ann', password: PASSWORD }),
  })
  const { access_token: token } = (await login.json()) as { access_token: string }
  const made = { collection: '', smart: '' }
  const send: Send = async ({ method, path, body, contentType = 'application/json' }) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': contentType }) }
    const reply = await fetch(`${baseUrl}/api/v1${path}`, { method, headers, body: body ?? null })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const text = bytes.toString('latin1', 0, 200)
    const id = /"id":"([^"]+)"/.exec(text)?.[1]
    if (reply.status === 201 && id !== undefined && path === '/collections') made.collection = id
    if (reply.status === 201 && id !== undefined && path === '/smart-playlists') made.smart = id
    return { status: reply.status, text }
  }
  const itemIds: string[] = []
  for (let offset = 0; itemIds.length < 5000; offset += 100) {
    const page = (await api('GET', `/api/v1/media?libraryId=${FILMS}&limit=100&offset=${offset}`)) as {
      items: { id: string }[]
    }
    if (page.items.length === 0) break
    itemIds.push(...page.items.map(({ id }) => id))
  }
  const { session_id: sessionId } = (await api('POST', '/api/v1/sessions', {})) as { session_id: string }
  const all = floodKinds(
    { libraryId: FILMS, itemIds, sessionId },
    { collection: () => made.collection, smart: () => made.smart },
  )
  const rules = { logic: 'and', rules: [] }
  const own = { name: 'First', library_id: FILMS }
  await send({ method: 'POST', path: '/collections', body: JSON.stringify(own) })
  await send({ method: 'POST', path: '/smart-playlists', body: JSON.stringify({ ...own, rules_json: rules }) })
  for (const id of itemIds.slice(0, 200)) await send({ method: 'GET', path: `/media/${id}` })
  const part = process.env['PHLIX_BENCH_KIND'] ?? ''
  return { send, kinds: all.filter(({ name }) => name.includes(part)) }
}

/** Sends until all are answered or the time is over; how many were answered with which status. */
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
