import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { fillCatalogue } from './api-catalogue.ts'
import { logIn, percentile, type Api } from './clients.ts'
import { whileServing, whileServingFilled } from './new-server.ts'
import type { Figure } from './run.ts'
import { PHLIX, untilStopped } from './start.ts'

/** 1,000,000 with PHLIX_BENCH_BACKUP_ITEMS, which takes several minutes. */
const ITEMS = Number(process.env['PHLIX_BENCH_BACKUP_ITEMS'] ?? 10_000)
const WRITES_PER_SECOND = 200
const LANES = 10
const BASELINE_SECONDS = 15
const WATCHED_ITEMS = 1000
const BACKUPS = ITEMS > 10_000 ? 1 : 3

/**
 * Positions are reported 200 times a second, before and while backups are made. The last backup is
 * restored into an empty directory, where the user logs in and finds the positions.
 */
export async function benchLoadedBackups(): Promise<Figure[]> {
  const fill = (db: Parameters<typeof fillCatalogue>[0]): Promise<string> => fillCatalogue(db, ITEMS)
  const target = mkdtempSync(join(tmpdir(), 'phlix-bench-restored-'))
  chmodSync(target, 0o711)
  try {
    return await whileServingFilled(
      { name: 'loaded-backups', isAdmin: true, fill },
      async ({ address }, { connectionUri, dataDirectory }) => {
        const api = await logIn(address)
        const load = startLoad(api, { sessionId: await openSession(api), itemIds: await someItems(connectionUri) })
        await pause(3000)
        load.takeTimes()
        await pause(BASELINE_SECONDS * 1000)
        const alone = load.takeTimes()
        const startedAt = performance.now()
        let path = ''
        for (let number = 0; number < BACKUPS; number += 1)
          path = await run(['backup:create', '--json', '--data-dir', dataDirectory])
        const during = load.takeTimes()
        const seconds = (performance.now() - startedAt) / 1000
        await load.stop()
        process.stderr.write(
          `${alone.length / BASELINE_SECONDS} requests a second before, ${during.length / seconds} during the backups\n`,
        )
        await run(['backup:restore', path, '--json', '--data-dir', target])
        const found = await whileServing(target, async (served) => countUnfinished(await logIn(served.address)))
        const of = (share: number, name: string): Figure => ({
          name: `requests while a backup is made, ${name}`,
          ours: percentile(during, share),
          peer: percentile(alone, share),
          unit: 'ms',
          peerName: 'before it',
        })
        return [
          of(0.5, 'p50'),
          of(0.99, 'p99'),
          { ...of(0, 'slowest'), ours: Math.max(...during), peer: Math.max(...alone) },
          { name: 'positions after the restore', ours: found, peer: 50, unit: ' ', peerName: 'a page of them' },
        ]
      },
    )
  } finally {
    await untilStopped(target)
    rmSync(target, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

async function openSession(api: Api): Promise<string> {
  return ((await api('POST', '/api/v1/sessions', {})) as { session_id: string }).session_id
}

async function someItems(connectionString: string): Promise<string[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      `select id from media_items where type = 'movie' and path is not null order by id limit ${WATCHED_ITEMS}`,
    )
    return rows.map(({ id }) => id)
  } finally {
    await client.end()
  }
}

/** Sends 200 reports a second in lanes, which wait for their reply: more of one address at once are refused. Keeps their times. */
function startLoad(api: Api, { sessionId, itemIds }: { sessionId: string; itemIds: readonly string[] }) {
  const startedAt = performance.now()
  let times: number[] = []
  let isStopped = false
  const lane = async (first: number): Promise<void> => {
    for (let number = first; !isStopped; number += LANES) {
      await pause(Math.max(0, startedAt + (number * 1000) / WRITES_PER_SECOND - performance.now()))
      const position = { position_ticks: 200_000_000 + (number % 1000) * 100_000, duration_ticks: 1_000_000_000 }
      const report = { media_item_id: itemIds[number % itemIds.length], ...position, is_paused: false }
      const sentAt = performance.now()
      await api('POST', `/api/v1/sessions/${sessionId}/progress`, report)
      times.push(performance.now() - sentAt)
    }
  }
  const lanes = Promise.all(Array.from({ length: LANES }, (_, index) => lane(index)))
  return {
    /** The times since the last call. */
    takeTimes(): number[] {
      const taken = times
      times = []
      return taken
    },
    async stop(): Promise<void> {
      isStopped = true
      await lanes
    },
  }
}

async function countUnfinished(api: Api): Promise<number> {
  const { items } = (await api('GET', '/api/v1/users/me/continue-watching?limit=50')) as { items: unknown[] }
  return items.length
}

/** @returns the path of the archive */
async function run(words: string[]): Promise<string> {
  const child = spawn(PHLIX, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${text}`)
  return (JSON.parse(text) as { path?: string }).path ?? ''
}
