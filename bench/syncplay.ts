import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PASSWORD } from './clients.ts'
import { createAccount, setUpData, whileServing, type Served } from './new-server.ts'
import type { Figure } from './run.ts'
import { measureFanOut, measureIdleMemory } from './syncplay/fan-out.ts'
import { measureLateMember, measureSpread } from './syncplay/spread.ts'

/** Numbers of simulated clients; `PHLIX_BENCH_CLIENTS=8` measures one. */
const SIZES = (process.env['PHLIX_BENCH_CLIENTS'] ?? '8 24').split(' ').map(Number)

const SEED = Number(process.env['PHLIX_BENCH_SEED'] ?? 4711)

const MEMBERS = 64

/** One account has at most 128 connections. */
const GUESTS = Array.from({ length: 8 }, (_, index) => `guest${index}`)

/**
 * Watch groups with the client of the web page, on simulated machines: wrong clocks, slow asymmetric links, inexact decoders. Then the time of
 * a command to 64 members, and the memory of idle connections.
 */
export async function benchSyncplay(): Promise<Figure[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'phlix-bench-syncplay-'))
  chmodSync(dataDirectory, 0o711)
  const environment = { ...process.env, RATE_LIMIT_WS_CONNECT_MAX: '100000', RATE_LIMIT_LOGIN_MAX: '100000' }
  try {
    setUpData(dataDirectory, { isAdmin: false })
    for (const guest of GUESTS) createAccount(dataDirectory, guest)
    return await whileServing(dataDirectory, measure, environment)
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function measure({ address, child }: Served): Promise<Figure[]> {
  process.stderr.write(`syncplay: seed ${SEED}\n`)
  const tokens: string[] = []
  while (tokens.length < MEMBERS) tokens.push(await signIn(address, 'ann'))
  const guestTokens: string[] = []
  for (const guest of GUESTS) guestTokens.push(await signIn(address, guest))
  const room = `${address.replace('http', 'ws')}/api/v1/syncplay/bench`
  const figures: Figure[] = []
  for (const size of SIZES)
    figures.push(...(await measureSpread({ address: room, tokens: tokens.slice(0, size), seed: SEED })))
  figures.push(...(await measureLateMember({ address: room, tokens: tokens.slice(0, 4), seed: SEED })))
  figures.push(...(await measureFanOut(room, tokens)))
  figures.push(...(await measureIdleMemory(room, guestTokens, child.pid ?? 0)))
  return figures
}

/** A member has a session of its own. */
async function signIn(address: string, username: string): Promise<string> {
  const reply = await fetch(`${address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
  if (!reply.ok) throw new Error(`the login was answered ${reply.status}`)
  return ((await reply.json()) as { access_token: string }).access_token
}
