import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { fillCatalogue } from './api-catalogue.ts'
import { withFilledData } from './new-server.ts'
import type { Figure } from './run.ts'
import { PHLIX, untilStopped } from './start.ts'

/** 1,000,000 with PHLIX_BENCH_BACKUP_ITEMS, which takes several minutes. */
const ITEMS = Number(process.env['PHLIX_BENCH_BACKUP_ITEMS'] ?? 10_000)

/** Targets of a backup in milliseconds, and of its peak memory in MiB. */
const CREATE_TARGET = ITEMS > 10_000 ? 60_000 : 3000
const MEMORY_TARGET = 150

const SAMPLE_MILLISECONDS = 20

/** The commands with their start, against `pg_dump -Fc`, or against the database alone where no pg_dump knows its version. */
export async function benchBackups(): Promise<Figure[]> {
  const fill = (db: Parameters<typeof fillCatalogue>[0]): Promise<string> => fillCatalogue(db, ITEMS)
  return withFilledData({ name: 'backups', isAdmin: true, fill }, async ({ connectionUri, dataDirectory }) => {
    const peer = await dump(connectionUri)
    const created = await run(['backup:create', '--json', '--data-dir', dataDirectory])
    const { path, bytes } = JSON.parse(created.text) as { path: string; bytes: number }
    const verified = await run(['backup:verify', path, '--data-dir', dataDirectory])
    const target = mkdtempSync(join(tmpdir(), 'phlix-bench-restored-'))
    // The account of the database, if this one is root.
    chmodSync(target, 0o711)
    try {
      const restored = await run(['backup:restore', path, '--data-dir', target])
      await untilStopped(target)
      const items = `${ITEMS} items`
      return [
        {
          name: `create, ${items}`,
          ours: created.milliseconds,
          peer: CREATE_TARGET,
          unit: 'ms',
          peerName: 'the target',
        },
        { name: 'the same', ours: created.milliseconds, peer: peer.milliseconds, unit: 'ms', peerName: peer.name },
        {
          name: 'create, peak memory',
          ours: created.mebibytes,
          peer: MEMORY_TARGET,
          unit: 'MiB',
          peerName: 'the target',
        },
        { name: 'size', ours: bytes / 1024 ** 2, peer: peer.mebibytes, unit: 'MiB', peerName: peer.name },
        {
          name: `verify, ${items}`,
          ours: verified.milliseconds,
          peer: created.milliseconds,
          unit: 'ms',
          peerName: 'create',
        },
        {
          name: `restore, ${items}`,
          ours: restored.milliseconds,
          peer: created.milliseconds,
          unit: 'ms',
          peerName: 'create',
        },
        {
          name: 'restore, peak memory',
          ours: restored.mebibytes,
          peer: MEMORY_TARGET,
          unit: 'MiB',
          peerName: 'the target',
        },
      ]
    } finally {
      rmSync(target, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    }
  })
}

type Run = { milliseconds: number; mebibytes: number; text: string }

/** Runs a command. Its memory is the peak resident set, without that of a database that it starts. */
async function run(words: string[]): Promise<Run> {
  const startedAt = performance.now()
  const child = spawn(PHLIX, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let [text, mebibytes] = ['', 0]
  child.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  const timer = setInterval(() => {
    mebibytes = Math.max(mebibytes, peakMemory(child.pid ?? 0))
  }, SAMPLE_MILLISECONDS)
  const [code] = (await once(child, 'close')) as [number]
  clearInterval(timer)
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${text}`)
  return { milliseconds: performance.now() - startedAt, mebibytes, text }
}

/** 0 after its end. */
function peakMemory(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

type Peer = { name: string; milliseconds: number; mebibytes: number }

async function dump(connectionUri: string): Promise<Peer> {
  const client = new Client({ connectionString: connectionUri })
  await client.connect()
  try {
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
    const found = /\) (\d+)/.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]
    const isKnown = Number(found ?? 0) >= Math.floor(Number(rows[0]?.server_version_num) / 10_000)
    return isKnown ? pgDump(connectionUri) : await copyAll(client)
  } finally {
    await client.end()
  }
}

function pgDump(connectionUri: string): Peer {
  const url = new URL(connectionUri)
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(url.password) }
  url.password = ''
  const startedAt = performance.now()
  const { status, stdout } = spawnSync('pg_dump', ['-Fc', url.href], { env, maxBuffer: 2 ** 31 })
  if (status !== 0) throw new Error(`pg_dump ended with ${status}`)
  return { name: 'pg_dump -Fc', milliseconds: performance.now() - startedAt, mebibytes: stdout.length / 1024 ** 2 }
}

/** All rows as text, in any order, to nowhere. */
async function copyAll(client: Client): Promise<Peer> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const startedAt = performance.now()
  let bytes = 0
  for (const { name } of rows) {
    for await (const chunk of client.query(copyTo(`copy ${name} to stdout`))) bytes += (chunk as Buffer).length
  }
  return { name: 'copy alone', milliseconds: performance.now() - startedAt, mebibytes: bytes / 1024 ** 2 }
}
