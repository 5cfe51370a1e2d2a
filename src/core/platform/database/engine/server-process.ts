import { closeSync, mkdirSync, openSync, readFileSync, readlinkSync, statSync, truncateSync } from 'node:fs'
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
 */
export function stopForeignServer(paths: EnginePaths): void {
  const { pid } = readServerPid(paths)
  if (pid === undefined || !Number.isSafeInteger(pid) || pid <= 1) return
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) === paths.cluster) process.kill(pid, 'SIGINT')
  } catch {
    // It is gone, or it is not ours to look at.
  }
}
