import { readdirSync, readFileSync } from 'node:fs'

/** The ids of all other processes; empty without /proc. */
export function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  } catch {
    return []
  }
}

/** The start time of a process: field 22 of /proc/PID/stat (proc(5)). Undefined if it has ended. */
export function processStartTime(pid: number): string | undefined {
  return statOf(pid)?.[19]
}

/** A killed process remains as a zombie until its parent reaps it, which some parents never do. */
export function isZombie(pid: number): boolean {
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
