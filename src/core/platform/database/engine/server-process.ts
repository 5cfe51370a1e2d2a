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
import { startProgram, withDeathSignal, type RunningProgram } from '../../spawn/index.ts'
import type { EnginePaths } from './engine-paths.ts'
import { SUPERVISOR_NAME, SUPERVISOR_SCRIPT, EXIT_WITHOUT_SUPERVISOR } from './supervisor-script.ts'
import type { PreparedEngine } from './prepare-cluster.ts'

/** A larger log is truncated at the next start. */
const MAX_LOG_BYTES = 10 * 1024 * 1024

export type ServerStart = { paths: EnginePaths; prepared: PreparedEngine; isDurable: boolean; folder: string }

const SHELL = '/bin/sh'

/**
 * Starts a supervisor and, as its child, the database server, on a Unix socket only. When the supervisor dies, the kernel kills the server;
 * its next start recovers from the write-ahead log. Signals that ask a process to stop are not reliable: a shell's background children
 * ignore SIGINT until the server installs its own handlers, and PostgreSQL 18.4 was observed not to stop when it was signalled during the
 * recovery from a backend's crash.
 * @param folder holds the supervisor's pipes
 */
export function startSupervisor({ paths, prepared, isDurable, folder }: ServerStart): RunningProgram {
  const log = openLog(paths.serverLog)
  try {
    const server = [prepared.programs.postgres, '-D', paths.cluster, ...settings(paths, isDurable)]
    const { program, arguments: args } = withDeathSignal({
      program: SHELL,
      arguments: ['-c', EXIT_WITHOUT_SUPERVISOR, 'sh', ...server],
    })
    return startProgram({
      program: SHELL,
      arguments: ['-c', SUPERVISOR_SCRIPT, SUPERVISOR_NAME, paths.dataDirectory, folder, program, ...args],
      workingDirectory: '/',
      account: prepared.account,
      isIndependent: true,
      outputDescriptor: log,
      environment: stalePidEnvironment(paths),
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
    // Enough for idle servers of this size. Wake-ups cost battery and keep disks awake.
    wal_level: 'minimal',
    max_wal_senders: 0,
    ...(isDurable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_LOG_BYTES) truncateSync(path)
  return openSync(path, 'a', 0o600)
}

/**
 * Whether the server of this supervisor accepts connections. Line 8 of postmaster.pid says `ready` (PostgreSQL source,
 * src/include/utils/pidfile.h). The parent of the pid in line 1 distinguishes the file of this server from the file of a previous server.
 */
export function isServerReady(paths: EnginePaths, supervisor: RunningProgram): boolean {
  const { pid, status } = readServerPid(paths)
  return status === 'ready' && isPid(pid) && parentOf(pid) === String(supervisor.pid)
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
 * Looks for a running server of this cluster. `supervised`: it runs (or starts, recovers or stops) below a living supervisor, and the
 * caller waits. `stopping`: its supervisor has died and the kernel did not end it, so it is sent the signal.
 *
 * A server is identified by its working directory, which is PGDATA for a postmaster, never by its name or by the pid file alone. The pid
 * file is removed by PostgreSQL only.
 */
export function findRunningServer(
  paths: EnginePaths,
  signal: 'SIGINT' | 'SIGQUIT',
): 'supervised' | 'stopping' | 'none' {
  const { pid } = readServerPid(paths)
  if (!isPid(pid) || !hasWorkingDirectory(pid, paths.cluster)) return 'none'
  if (isSupervisor(parentOf(pid), paths)) return 'supervised'
  try {
    process.kill(pid, signal)
  } catch {
    // The server has ended.
  }
  return 'stopping'
}

/**
 * PostgreSQL treats any living process of its account as the server that a stale postmaster.pid names: a pid that was reused after a
 * restart of the container, or a dead server that was not reaped. It ignores its own parent and grandparent (CreateLockFile in miscinit.c;
 * pg_ctl sets the same variable), so the pid is declared as the grandparent. The later check of shared memory still refuses to start beside
 * a running server.
 */
function stalePidEnvironment(paths: EnginePaths): Record<string, string> {
  const { pid } = readServerPid(paths)
  return isPid(pid) && !hasWorkingDirectory(pid, paths.cluster) ? { PG_GRANDPARENT_PID: String(pid) } : {}
}

function isPid(pid: number | undefined): pid is number {
  return pid !== undefined && Number.isSafeInteger(pid) && pid > 1
}

/** Whether the working directory of a living process is the folder. A zombie has no working directory. */
function hasWorkingDirectory(pid: number, folder: string): boolean {
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

/** Whether the process is a supervisor of this data directory: `sh -c … phlix-keeper DATA_DIRECTORY …`. */
function isSupervisor(pid: string, paths: EnginePaths): boolean {
  try {
    const [, , , name, dataDirectory = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return name === SUPERVISOR_NAME && realpathSync(dataDirectory) === realpathSync(paths.dataDirectory)
  } catch {
    return false
  }
}
