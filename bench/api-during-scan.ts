import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addLibrary, logIn, percentile, untilScanned, type Api } from './clients.ts'
import { setUpData, whileServing } from './new-server.ts'
import type { Figure } from './run.ts'
import { makeFilmTree } from './scan-corpus.ts'

/** The number of films that clients list while the others are scanned. */
const KNOWN_FILMS = 2000
/** Long enough to contain several rare events: garbage collections, checkpoints of the database, starts of processes. */
const SCANNED_FILMS = Math.min(Number(process.env['PHLIX_BENCH_FILMS'] ?? 60_000), 60_000)

const PATHS = ['/api/v1/media?limit=50', '/api/v1/libraries'] as const
const ASKS_PER_SECOND = 50
const IDLE_SECONDS = 10

/** The times of replies during a first scan in the same daemon, against the same daemon at rest. */
export async function benchApiDuringScan(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-bench-api-'))
  chmodSync(folder, 0o755)
  const dataDirectory = join(folder, 'data')
  try {
    for (const [name, count] of Object.entries({ known: KNOWN_FILMS, scanned: SCANNED_FILMS })) {
      mkdirSync(join(folder, name))
      makeFilmTree(join(folder, name), count)
    }
    setUpData(dataDirectory, { isAdmin: true })
    return await whileServing(dataDirectory, async ({ address }) => measure(await logIn(address), folder))
  } finally {
    // The database may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

async function measure(api: Api, folder: string): Promise<Figure[]> {
  const known = await addLibrary(api, join(folder, 'known', 'films'))
  await untilScanned(api, known)
  await askFor(api, pause(2000))
  const idle = await askFor(api, pause(IDLE_SECONDS * 1000))
  const scanned = await addLibrary(api, join(folder, 'scanned', 'films'))
  const busy = await askFor(api, untilScanned(api, scanned))
  await pause(2000)
  // Pages of a larger catalogue take longer, also without a scan.
  idle.push(...(await askFor(api, pause(IDLE_SECONDS * 1000))))
  const name = `API p99, first scan of ${SCANNED_FILMS}`
  return [
    {
      name,
      ours: percentile(busy, 0.99),
      peer: percentile(idle, 0.99),
      unit: 'ms',
      peerName: 'at rest, before and after',
    },
  ]
}

/** Sends requests at a fixed rate, independent of the replies, until `end`. Returns the time of each reply, including 503 after five seconds. */
async function askFor(api: Api, end: Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  const open: Promise<void>[] = []
  let isOver = false
  void end.finally(() => (isOver = true))
  const started = performance.now()
  for (let asked = 0; !isOver; asked += 1) {
    await pause(Math.max(0, started + (asked * 1000) / ASKS_PER_SECOND - performance.now()))
    const due = performance.now()
    const answer = api('GET', PATHS[asked % PATHS.length] ?? PATHS[0])
    open.push(Promise.allSettled([answer]).then(() => void waits.push(performance.now() - due)))
  }
  await Promise.all([end, ...open])
  return waits
}
