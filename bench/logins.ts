import { argon2, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PASSWORD } from './clients.ts'
import { setUpData, whileServing, type Served } from './new-server.ts'
import type { Figure } from './run.ts'
import { median } from './start.ts'

const LOGINS = 200
const ROUNDS = 5

/** While 200 people log in, other requests wait no longer than this. */
const TARGET_MILLISECONDS = 200

/** The number of concurrent hashes in the daemon. */
const CONCURRENT_HASHES = 2

/** Loaded into the daemon: measures the event loop delay from each odd SIGUSR2 to the following even one. */
const WATCH = `
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
if (process.argv.includes('serve')) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  process.on('SIGUSR2', () => delay.enable() || delay.disable())
  process.on('exit', () => writeFileSync(process.env.EVENT_LOOP_REPORT, String(delay.percentile(99) / 1e6)))
}
`

/** 200 concurrent logins: the event loop delay, and the logins per second against hashing alone. */
export async function benchLogins(): Promise<Figure[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'phlix-bench-'))
  chmodSync(dataDirectory, 0o711)
  try {
    setUpData(dataDirectory, { isAdmin: false })
    return await measure(dataDirectory)
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function measure(dataDirectory: string): Promise<Figure[]> {
  const [watch, report] = [join(dataDirectory, 'watch.mjs'), join(dataDirectory, 'event-loop')]
  writeFileSync(watch, WATCH)
  const environment = { ...process.env, NODE_OPTIONS: `--import=${watch}`, EVENT_LOOP_REPORT: report }
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  const work = async ({ child, port }: Served): Promise<void> => {
    await ratePerSecond(() => logIn(port), LOGINS)
    for (let round = 0; round < ROUNDS; round++) {
      child.kill('SIGUSR2')
      rates.ours.push(await ratePerSecond(() => logIn(port), LOGINS))
      child.kill('SIGUSR2')
      rates.bare.push(await ratePerSecond(hash, CONCURRENT_HASHES))
    }
  }
  await whileServing(dataDirectory, work, environment)
  const late = Number(readFileSync(report, 'utf8'))
  return [
    { name: `event loop p99, ${LOGINS} logins`, ours: late, peer: TARGET_MILLISECONDS, unit: 'ms', peerName: 'target' },
    { name: 'logins', ours: median(rates.ours), peer: median(rates.bare), unit: '/s', peerName: 'hashing alone' },
  ]
}

/** Runs `LOGINS` calls, `lanes` of them concurrently. Returns the calls per second. */
async function ratePerSecond(work: () => Promise<void>, lanes: number): Promise<number> {
  const started = performance.now()
  const lane = async (): Promise<void> => {
    for (let count = 0; count < LOGINS / lanes; count++) await work()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return (LOGINS * 1000) / (performance.now() - started)
}

async function logIn(port: number): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ann', password: PASSWORD }),
  })
  if (reply.status !== 200) throw new Error(`a login was answered ${reply.status}`)
  await reply.arrayBuffer()
}

/** The hash that the product uses. */
async function hash(): Promise<void> {
  const costs = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
  await promisify(argon2)('argon2id', { message: Buffer.from(PASSWORD), nonce: randomBytes(16), ...costs })
}
