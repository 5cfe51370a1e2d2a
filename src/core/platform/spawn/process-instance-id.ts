import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isZombie, processStartTime } from './process-table.ts'

/** Distinguishes the runs of a process that restarts itself, because pid and start time are then the same. */
const RUN = randomBytes(6).toString('hex')

/** `<pid>-<start time>-<run>` of this process: unique among all runs on this machine. */
export function processInstanceId(): string {
  return `${process.pid}-${processStartTime(process.pid) ?? '0'}-${RUN}`
}

/**
 * Whether the process with such an id is alive; text after the id is ignored. A process that has restarted itself recognises the ids of its
 * earlier runs; other processes do not.
 */
export function isInstanceAlive(mark: string): boolean {
  const [pid = '', startTime = '', run] = mark.split('-')
  if (!/^\d+$/.test(pid)) return false
  if (Number(pid) === process.pid && run !== RUN) return false
  return (processStartTime(Number(pid)) ?? '0') === startTime && existsSync(`/proc/${pid}`) && !isZombie(Number(pid))
}
