import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { startProgram, type RunningProgram } from '../../spawn/index.ts'
import type { EnginePaths } from './engine-paths.ts'
import type { PreparedEngine } from './prepare-cluster.ts'

/** The log starts anew above this size. */
const LONGEST_LOG_BYTES = 10 * 1024 * 1024

const POLL_MILLISECONDS = 15

export type ServerStart = { paths: EnginePaths; prepared: PreparedEngine; isDurable: boolean }

/** Starts the database server: Unix socket only, ended by the kernel (fast shutdown) when its keeper dies. */
export function startServer({ paths, prepared, isDurable }: ServerStart): RunningProgram {
  const log = openLog(paths.serverLog)
  try {
    return startProgram({
      program: prepared.programs.postgres,
      arguments: ['-D', paths.cluster, ...settings(paths, isDurable)],
      workingDirectory: '/',
      account: prepared.account,
      deathSignal: 'INT',
      outputDescriptor: log,
      environment: lockExemption(paths),
    })
  } finally {
    closeSync(log)
  }
}

function settings(paths: EnginePaths, isDurable: boolean): string[] {
  const values = {
    listen_addresses: '',
    unix_socket_directories: paths.sockets,
    unix_socket_permissions: '0700',
    max_connections: 100,
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Idle servers of this size need no more, and waking up costs battery and disks their sleep.
    wal_level: 'minimal',
    max_wal_senders: 0,
    ...(isDurable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LONGEST_LOG_BYTES) truncateSync(path)
  return openSync(path, 'a', 0o600)
}

/**
 * Waits until the server takes connections or has ended. Line 8 of postmaster.pid says `ready` (PostgreSQL source,
 * src/include/utils/pidfile.h); the pid in line 1 tells our server's file from the one of a server before it.
 */
export async function untilServerReady(server: RunningProgram, paths: EnginePaths): Promise<'ready' | 'ended'> {
  let hasEnded = false
  void server.ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    const { pid, status } = readServerPid(paths)
    if (pid === server.pid && status === 'ready') return 'ready'
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS))
  }
  return 'ended'
}

function readServerPid(paths: EnginePaths): { pid: number | undefined; status: string | undefined } {
  try {
    const lines = readFileSync(join(paths.cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), status: lines[7]?.trim() }
  } catch {
    return { pid: undefined, status: undefined }
  }
}

/**
 * Asks a server of this cluster that lost its keeper to stop. It is known by working in the cluster's folder (a postmaster's
 * working directory is PGDATA), never by its name or by the pid file alone; the pid file itself is PostgreSQL's to remove (M7).
 * A server whose parent is a living keeper is left alone: it may be recovering, and its keeper answers once that is done.
 */
export function stopForeignServer(paths: EnginePaths): void {
  const { pid } = readServerPid(paths)
  if (!isPid(pid) || !worksIn(pid, paths.cluster) || isKeeper(parentOf(pid), paths)) return
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    // It is gone.
  }
}

/**
 * PostgreSQL takes any living process of its account for the server that a left-over postmaster.pid names: a pid used again after a
 * restart of the container, or a dead server that nobody collects. It never doubts its parent and grandparent (CreateLockFile in
 * miscinit.c; pg_ctl uses the same variable), so the pid is declared one. The check of shared memory that follows still refuses when
 * a server really runs.
 */
function lockExemption(paths: EnginePaths): Record<string, string> {
  const { pid } = readServerPid(paths)
  return isPid(pid) && !worksIn(pid, paths.cluster) ? { PG_GRANDPARENT_PID: String(pid) } : {}
}

function isPid(pid: number | undefined): pid is number {
  return pid !== undefined && Number.isSafeInteger(pid) && pid > 1
}

/** Whether a living process works in the folder. A zombie has no working directory. */
function worksIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    return false
  }
}

function parentOf(pid: number): string {
  try {
    return /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}

/** Whether the process is a keeper of this data directory: `node …/keeper.ts DATA_DIRECTORY …`. */
function isKeeper(pid: string, paths: EnginePaths): boolean {
  try {
    const [, script, dataDirectory] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    if (script === undefined || dataDirectory === undefined || !/\/keeper\.[jt]s$/.test(script)) return false
    return realpathSync(dataDirectory) === realpathSync(paths.dataDirectory)
  } catch {
    return false
  }
}
