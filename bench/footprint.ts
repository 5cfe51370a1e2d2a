import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addLibrary, logIn, untilScanned } from './clients.ts'
import { setUpData, whileServing } from './new-server.ts'
import type { Figure } from './run.ts'
import { makeFilmTree } from './scan-corpus.ts'
import { untilStopped } from './start.ts'

const FILMS = Math.min(Number(process.env['PHLIX_BENCH_FILMS'] ?? 20_000), 20_000)
const IDLE_SECONDS = 5
/** Connections of the database that are idle for a minute are closed. */
const AFTER_SCAN_SECONDS = 75

/** Targets in MiB, for all processes together. */
const TARGETS = { idle: 150, afterScan: 220, keeper: 10 }

/** Memory of all processes of a server: the daemon, the database and its supervisor; shared pages count once (PSS). */
export async function benchFootprint(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-bench-footprint-'))
  chmodSync(folder, 0o755)
  const dataDirectory = join(folder, 'data')
  try {
    makeFilmTree(folder, FILMS)
    setUpData(dataDirectory, { isAdmin: true })
    await untilStopped(dataDirectory)
    const afterScan = await afterWork(dataDirectory, async (address) => {
      const api = await logIn(address)
      await untilScanned(api, await addLibrary(api, join(folder, 'films')))
      await pause(AFTER_SCAN_SECONDS * 1000)
    })
    await untilStopped(dataDirectory)
    const idle = await afterWork(dataDirectory, () => pause(IDLE_SECONDS * 1000))
    return [
      figure(`all processes, ${FILMS} films scanned`, afterScan.total, TARGETS.afterScan),
      figure('all processes, idle after a restart', idle.total, TARGETS.idle),
      figure('the keeper', idle.keeper, TARGETS.keeper),
    ]
  } finally {
    // The database may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

type Footprint = { total: number; keeper: number }

/** The memory of a server and its database after some work. */
async function afterWork(dataDirectory: string, work: (address: string) => Promise<unknown>): Promise<Footprint> {
  return whileServing(dataDirectory, async ({ address, child }) => {
    await work(address)
    return measure(dataDirectory, child)
  })
}

function measure(dataDirectory: string, daemon: ChildProcess): Footprint {
  const footprint = { total: 0, keeper: 0 }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      const isKeeper = command.includes(`phlix-keeper\0${dataDirectory}\0`)
      const isDatabase = readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDirectory)
      if (!isKeeper && !isDatabase && Number(pid) !== daemon.pid) continue
      const mebibytes = shareOfMemory(pid)
      footprint.total += mebibytes
      if (isKeeper) footprint.keeper += mebibytes
    } catch {
      // The process has ended.
    }
  }
  return footprint
}

function shareOfMemory(pid: string): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024
}

function figure(name: string, ours: number, target: number): Figure {
  return { name, ours, peer: target, unit: 'MiB', peerName: 'target' }
}
