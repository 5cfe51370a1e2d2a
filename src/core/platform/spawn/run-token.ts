import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'

/** Environment variable of every child: its data directory and the process that started it. */
export const RUN_TOKEN_NAME = 'PHLIX_RUN_TOKEN'

type RunToken = { directoryHash: string; ownerPid: number; ownerStartTime: string }

/** `<hash of the data directory>:<pid>:<start time>` of this process. Without a directory the sweep of orphans does not find the child. */
export function runTokenOf(dataDirectory: string | undefined): string {
  const directoryHash = dataDirectory === undefined ? '' : hashOf(dataDirectory)
  return `${directoryHash}:${process.pid}:${startTimeOf(process.pid) ?? ''}`
}

/**
 * Kills children that a dead process of this data directory left behind. They are identified by the token in their environment; its owner
 * (pid and start time) must not be alive, so that neither a reused pid nor an unrelated ffmpeg is affected.
 * @returns the number of killed processes
 */
export function sweepOrphans({ dataDirectory, log }: { dataDirectory: string; log: Logger }): number {
  const directoryHash = hashOf(dataDirectory)
  let killed = 0
  for (const name of listProcesses()) {
    const token = tokenOf(name)
    if (token === undefined || token.directoryHash !== directoryHash) continue
    if (startTimeOf(token.ownerPid) === token.ownerStartTime) continue
    try {
      process.kill(Number(name), 'SIGKILL')
      killed += 1
    } catch (error) {
      log.debug({ pid: Number(name), reason: describeError(error) }, 'an orphan had already ended')
    }
  }
  return killed
}

/** Kills the running children that this process has started for its data directory. */
export function killOwnChildren(): void {
  const own = startTimeOf(process.pid)
  for (const name of listProcesses()) {
    const token = tokenOf(name)
    if (token === undefined || token.ownerPid !== process.pid || token.ownerStartTime !== own) continue
    try {
      process.kill(Number(name), 'SIGKILL')
    } catch {
      // The process has ended.
    }
  }
}

/** Distinguishes the runs of a process that restarts itself, because pid and start time are then the same. */
const RUN = randomBytes(6).toString('hex')

/** `<pid>-<start time>-<run>` of this process: unique among all runs on this machine. */
export function processMark(): string {
  return `${process.pid}-${startTimeOf(process.pid) ?? '0'}-${RUN}`
}

/**
 * Whether the run with such a mark is alive; text after the mark is ignored. An earlier run of a process that has restarted itself is
 * recognised only by that process.
 */
export function isMarkAlive(mark: string): boolean {
  const [pid = '', startTime = '', run] = mark.split('-')
  if (!/^\d+$/.test(pid)) return false
  if (Number(pid) === process.pid && run !== RUN) return false
  return (startTimeOf(Number(pid)) ?? '0') === startTime && existsSync(`/proc/${pid}`) && !isZombie(Number(pid))
}

/**
 * Kills the processes that have `directory` in their arguments, which means that they work inside it. Processes are never selected by
 * program name.
 * @returns the number of killed processes
 */
export function killProcessesNaming(directory: string): number {
  let killed = 0
  // Patterns of file names double the percent sign.
  const begins = [directory, directory.replaceAll('%', '%%')].map((path) => `file:${path}/`)
  for (const pid of listProcesses()) {
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      if (!args.some((word) => begins.some((begin) => word.startsWith(begin)))) continue
      process.kill(Number(pid), 'SIGKILL')
      killed += 1
    } catch {
      // The process has ended, or belongs to another account.
    }
  }
  return killed
}

function hashOf(dataDirectory: string): string {
  return createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  } catch {
    return []
  }
}

function tokenOf(pid: string): RunToken | undefined {
  try {
    const entry = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .find((line) => line.startsWith(`${RUN_TOKEN_NAME}=`))
    const [directoryHash, ownerPid, ownerStartTime] = entry?.slice(RUN_TOKEN_NAME.length + 1).split(':') ?? []
    if (directoryHash === undefined || ownerPid === undefined || ownerStartTime === undefined) return undefined
    return { directoryHash, ownerPid: Number(ownerPid), ownerStartTime }
  } catch {
    return undefined
  }
}

/** Field 22 of /proc/PID/stat (proc(5)). */
function startTimeOf(pid: number): string | undefined {
  return statOf(pid)?.[19]
}

/** A killed process remains as a zombie until its parent reaps it, which some parents never do. */
function isZombie(pid: number): boolean {
  return ['Z', 'X'].includes(statOf(pid)?.[0] ?? '')
}

/** The fields of /proc/PID/stat from the third on. The program name in field 2 may contain spaces and brackets. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
