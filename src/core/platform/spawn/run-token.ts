import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'

/** Environment variable that every child carries: whose data directory it works for and which process started it. */
export const RUN_TOKEN_NAME = 'PHLIX_RUN_TOKEN'

type RunToken = { directoryHash: string; ownerPid: number; ownerStartTime: string }

let markedDirectory = ''

/** Says once, at the start of a process, which data directory its children work for. */
export function markChildren(dataDirectory: string): void {
  markedDirectory = hashOf(dataDirectory)
}

/** `<hash of the data directory>:<pid>:<start time>` of this process. */
export function currentRunToken(): string {
  return `${markedDirectory}:${process.pid}:${startTimeOf(process.pid) ?? ''}`
}

/**
 * Kills children that a dead process of this data directory left behind (F-36). They are known by the token in their environment;
 * owner pid and start time must be of no living process, so neither a reused pid nor anybody else's ffmpeg is ever touched (F-37).
 * @returns how many were killed
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
      log.debug({ pid: Number(name), reason: describeError(error) }, 'an orphan was already gone')
    }
  }
  return killed
}

/** Kills the children of this very process that it has started for its data directory, and that still run. */
export function killOwnChildren(): void {
  const own = startTimeOf(process.pid)
  for (const name of listProcesses()) {
    const token = tokenOf(name)
    if (token === undefined || token.ownerPid !== process.pid || token.ownerStartTime !== own) continue
    try {
      process.kill(Number(name), 'SIGKILL')
    } catch {
      // It is gone.
    }
  }
}

/** A restart keeps pid and start time: what an earlier run of this process left is told from it by this. */
const RUN = randomBytes(6).toString('hex')

/** `<pid>-<start time>-<run>` of this process: a name that no other run of this machine ever has. */
export function processMark(): string {
  return `${process.pid}-${startTimeOf(process.pid) ?? '0'}-${RUN}`
}

/**
 * Whether the run with such a mark still lives; what follows the mark does not count. Of an earlier run of a process that has restarted,
 * only that process knows.
 */
export function isMarkAlive(mark: string): boolean {
  const [pid = '', startTime = '', run] = mark.split('-')
  if (!/^\d+$/.test(pid)) return false
  if (Number(pid) === process.pid && run !== RUN) return false
  return (startTimeOf(Number(pid)) ?? '0') === startTime && existsSync(`/proc/${pid}`) && !isZombie(Number(pid))
}

/**
 * Kills the processes that name `directory` in their command line: what somebody started to work inside it. Never by
 * the name of a program (F-37).
 * @returns how many were killed
 */
export function killProcessesNaming(directory: string): number {
  let killed = 0
  // In patterns of file names a percent sign is doubled.
  const begins = [directory, directory.replaceAll('%', '%%')].map((path) => `file:${path}/`)
  for (const pid of listProcesses()) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      if (!words.some((word) => begins.some((begin) => word.startsWith(begin)))) continue
      process.kill(Number(pid), 'SIGKILL')
      killed += 1
    } catch {
      // It has ended, or belongs to somebody else.
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

/** A process that was killed stays as a zombie until its parent asks for it; some parents never do. */
function isZombie(pid: number): boolean {
  return ['Z', 'X'].includes(statOf(pid)?.[0] ?? '')
}

/** The fields of /proc/PID/stat from the third on; the program name in field 2 may hold spaces and brackets. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
