import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const CLOCK_TICK_MILLISECONDS = 10
/** Counted from 0; user and system time, then those of children that have ended (proc_pid_stat(5)). */
const PROCESSOR_FIELDS = [13, 14, 15, 16]
const PARENT_FIELD = 3

/** Processor time of the processes of the database, those that have ended included. */
export function databaseMilliseconds(dataDirectory: string): number {
  return familyMilliseconds(
    Number(readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
  )
}

/** Processor time of a process and of its children, those that have ended included. */
export function familyMilliseconds(pid: number): number {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const family = ids.filter((id) => Number(id) === pid || parentOf(id) === pid)
  return family.reduce((sum, id) => sum + processorMillisecondsOf(Number(id)), 0)
}

function parentOf(id: string): number | undefined {
  return statOf(Number(id))?.[PARENT_FIELD]
}

/** Processor time of a process and of its children that have ended (proc_pid_stat(5)); 0 when there is none. */
function processorMillisecondsOf(pid: number): number {
  const stat = statOf(pid)
  return PROCESSOR_FIELDS.reduce((sum, field) => sum + (stat?.[field] ?? 0), 0) * CLOCK_TICK_MILLISECONDS
}

/** Fields of `/proc/PID/stat`, counted from 0; those that are no numbers are NaN. */
function statOf(pid: number): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program may hold spaces and brackets.
    const rest = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return [pid, Number.NaN, ...rest.map(Number)]
  } catch {
    return undefined
  }
}
