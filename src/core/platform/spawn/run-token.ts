import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { processStartTime } from './process-table.ts'

/** Environment variable of every child: its data directory and the process that started it. */
export const RUN_TOKEN_VARIABLE = 'PHLIX_RUN_TOKEN'

export type RunToken = { directoryHash: string; ownerPid: number; ownerStartTime: string }

/** `<hash of the data directory>:<pid>:<start time>` of this process. Without a directory the sweep of orphans does not find the child. */
export function createRunToken(dataDirectory: string | undefined): string {
  const directoryHash = dataDirectory === undefined ? '' : hashDataDirectory(dataDirectory)
  return `${directoryHash}:${process.pid}:${processStartTime(process.pid) ?? ''}`
}

/** The run token in the environment of a process; undefined if it has none, or has ended. */
export function readRunToken(pid: string): RunToken | undefined {
  try {
    const entry = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .find((line) => line.startsWith(`${RUN_TOKEN_VARIABLE}=`))
    const [directoryHash, ownerPid, ownerStartTime] = entry?.slice(RUN_TOKEN_VARIABLE.length + 1).split(':') ?? []
    if (directoryHash === undefined || ownerPid === undefined || ownerStartTime === undefined) return undefined
    return { directoryHash, ownerPid: Number(ownerPid), ownerStartTime }
  } catch {
    return undefined
  }
}

export function hashDataDirectory(dataDirectory: string): string {
  return createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)
}
