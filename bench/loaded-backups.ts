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
const BASELINE_SECONDS = 15
const WATCHED_ITEMS = 1000
const BACKUPS = ITEMS > 10_000 ? 1 : 3

/**
 * Positions are reported 200 times a second, at fixed times whatever the server does, before and while backups are made. The last backup is
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
        let path = ''
        for (let number = 0; number < BACKUPS; number += 1)
          path = await run(['backup:create', '--json', '--data-dir', dataDirectory])
        const during = load.takeTimes()
        await load.stop()
        process.stderr.write(`${alone.length} requests before, ${during.length} during the backups\n`)
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

/** Sends a report each 5 ms and keeps its time from the moment at which it was due. */
function startLoad(api: Api, { sessionId, itemIds }: { sessionId: string; itemIds: readonly string[] }) {
  const [open, startedAt] = [new Set<Promise<void>>(), performance.now()]
  let times: number[] = []
  let sent = 0
  const send = async (number: number, dueAt: number): Promise<void> => {
    const position = { position_ticks: 200_000_000 + (number % 1000) * 100_000, duration_ticks: 1_000_000_000 }
    const report = { media_item_id: itemIds[number % itemIds.length], ...position, is_paused: false }
    await api('POST', `/api/v1/sessions/${sessionId}/progress`, report)
    times.push(performance.now() - dueAt)
  }
  const timer = setInterval(() => {
    for (;;) {
      const dueAt = startedAt + (sent * 1000) / WRITES_PER_SECOND
      if (dueAt > performance.now()) return
      const one: Promise<void> = send(sent, dueAt).finally(() => open.delete(one))
      open.add(one)
      sent += 1
    }
  }, 1)
  return {
    /** The times since the last call. */
    takeTimes(): number[] {
      const taken = times
      times = []
      return taken
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await Promise.all(open)
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
