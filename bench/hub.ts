import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'slonik'
import { hubConfig, openHubServices, type HubServices } from '../src/core/hub/index.ts'
import { loadConfig } from '../src/core/platform/config/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { percentile } from './clients.ts'
import type { Figure } from './run.ts'
import { PHLIX, startServer, stop, untilStopped } from './start.ts'

const SERVERS = Number(process.env['PHLIX_BENCH_SERVERS'] ?? 2000)
const SECONDS = Number(process.env['PHLIX_BENCH_SECONDS'] ?? 20)
const INTERVAL_SECONDS = 60

/** The limit for the p99 of a heartbeat. */
const TARGET_MILLISECONDS = 50

type Home = { id: string; token: string }

/** The heartbeats of 2,000 home servers at a real hub, at the usual rate and at ten times of it; and the memory of the hub. */
export async function benchHub(): Promise<Figure[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'phlix-bench-hub-'))
  chmodSync(dataDirectory, 0o711)
  const config = hubConfig(loadConfig({ dataDirectory, environment: {} }))
  const log = await createLogger(config, { level: 'error' })
  const services = await openHubServices({ config, log })
  try {
    const homes = await makeHomes(services)
    const words = ['hub:serve', '--host', '127.0.0.1', '--data-dir', dataDirectory]
    const { child, port } = await startServer((free) => [PHLIX, [...words, '--port', String(free)]])
    try {
      const url = `http://127.0.0.1:${port}`
      const before = residentMebibytes(child.pid ?? 0)
      await beat(url, homes, { perSecond: SERVERS / INTERVAL_SECONDS, seconds: 5 })
      const usual = await beat(url, homes, { perSecond: SERVERS / INTERVAL_SECONDS, seconds: SECONDS })
      const busy = await beat(url, homes, { perSecond: (SERVERS / INTERVAL_SECONDS) * 10, seconds: SECONDS })
      const after = residentMebibytes(child.pid ?? 0)
      const target = { unit: 'ms', peer: TARGET_MILLISECONDS, peerName: 'target' } as const
      return [
        { name: `heartbeats of ${SERVERS} servers, p50`, ours: percentile(usual, 0.5), ...target },
        { name: `heartbeats of ${SERVERS} servers, p99`, ours: percentile(usual, 0.99), ...target },
        { name: 'ten times as often, p99', ours: percentile(busy, 0.99), ...target },
        { name: 'memory of the hub', ours: after, unit: 'MiB', peer: before, peerName: 'before' },
      ]
    } finally {
      await stop(child)
    }
  } finally {
    await services.close()
    await untilStopped(join(dataDirectory, 'hub'))
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

/** Servers of 100 users, with enrolment tokens of this hub. */
async function makeHomes({ db, signingKeys }: HubServices): Promise<Home[]> {
  await db.query(sql.unsafe`
    insert into hub_users (username, email, password_hash, created_at, updated_at)
    select 'user' || n, 'user' || n || '@example.test', 'x', now(), now() from generate_series(1, 100) n`)
  const ids = await db.anyFirst(sql.unsafe`
    insert into hub_servers (owner_id, name, version, public_keys, is_key_proven, key_thumbprint, created_at)
    select (select id from hub_users where username = 'user' || (1 + n % 100)), 'server ' || n, '1.0.0', '[]', true, 'key ' || n, now()
    from generate_series(1, ${SERVERS}) n returning id`)
  const homes: Home[] = []
  for (const id of ids as string[]) {
    const claims = { sub: id, type: 'enrollment', server_id: id, gen: 1 }
    homes.push({ id, token: await signingKeys.sign(claims, { audience: 'server', lifetimeSeconds: 3600 }) })
  }
  return homes
}

const LIBRARIES = ['Films', 'Series', 'Music', 'Photos'].map((name, n) => ({
  library_id: `00000000-0000-4000-8000-00000000000${n}`,
  library_name: name,
}))

/**
 * Sends heartbeats at a fixed rate, whether earlier ones are answered or not.
 * @returns the milliseconds until each answer
 */
async function beat(
  url: string,
  homes: readonly Home[],
  rate: { perSecond: number; seconds: number },
): Promise<number[]> {
  const waits: number[] = []
  const running: Promise<void>[] = []
  const startedAt = performance.now()
  const count = Math.round(rate.perSecond * rate.seconds)
  for (let n = 0; n < count; n += 1) {
    const due = startedAt + (n * 1000) / rate.perSecond
    const early = due - performance.now()
    if (early > 0) await pause(early)
    const home = homes[n % homes.length]
    if (home !== undefined) running.push(send(url, home).then((wait) => void waits.push(wait)))
  }
  await Promise.all(running)
  return waits
}

async function send(url: string, { id, token }: Home): Promise<number> {
  const sentAt = performance.now()
  const reply = await fetch(`${url}/api/v1/servers/${id}/heartbeat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-phlix-protocol': 'v1' },
    body: JSON.stringify({
      serverId: id,
      version: '1.0.0',
      uptimeSeconds: 1000,
      activeSessions: 1,
      activeTranscodes: 1,
      hostnameCandidates: ['http://192.168.1.5:8096', 'https://home.example.org'],
      libraries: LIBRARIES,
      intervalSeconds: INTERVAL_SECONDS,
    }),
  })
  if (!reply.ok) throw new Error(`a heartbeat was answered ${reply.status}: ${await reply.text()}`)
  await reply.arrayBuffer()
  return performance.now() - sentAt
}

function residentMebibytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes ?? 0) / 1024
}
