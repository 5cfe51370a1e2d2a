import { readFileSync } from 'node:fs'
import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import { listProcesses, processStartTime } from './process-table.ts'
import { hashDataDirectory, readRunToken } from './run-token.ts'

/**
 * Kills children that a dead process of this data directory left behind. They are identified by the token in their environment; its owner
 * (pid and start time) must not be alive, so that neither a reused pid nor an unrelated ffmpeg is affected.
 * @returns the number of killed processes
 */
export function killOrphans({ dataDirectory, log }: { dataDirectory: string; log: Logger }): number {
  const directoryHash = hashDataDirectory(dataDirectory)
  let killed = 0
  for (const name of listProcesses()) {
    const token = readRunToken(name)
    if (token === undefined || token.directoryHash !== directoryHash) continue
    if (processStartTime(token.ownerPid) === token.ownerStartTime) continue
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
  const own = processStartTime(process.pid)
  for (const name of listProcesses()) {
    const token = readRunToken(name)
    if (token === undefined || token.ownerPid !== process.pid || token.ownerStartTime !== own) continue
    try {
      process.kill(Number(name), 'SIGKILL')
    } catch {
      // The process has ended.
    }
  }
}

/**
 * Kills the processes with `directory` in their arguments: they work inside it. Processes are never selected by program name.
 * @returns the number of killed processes
 */
export function killProcessesUsingDirectory(directory: string): number {
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
