import { readFileSync, writeFileSync } from 'node:fs'
import { systemErrorCode } from '../errors/index.ts'

/**
 * Pause before a second attempt: for accounts other than root the kernel accepts one write per tenth of a second
 * (kernel/sched/autogroup.c).
 */
const RETRY_MILLISECONDS = 120
const TRIES = 5
/** EACCES occurs while a program creates its namespace: its files in /proc belong to root for that moment (proc(5)). */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(['EAGAIN', 'EACCES'])

/**
 * Lowers the priority of the session that a program leads, and therefore of all its children. Linux distributes processor time between
 * sessions first, and by priority only within each session (sched(7), "The autogroup feature"), unless a cgroup takes precedence: an
 * encoder with the lowest priority in its own session would get as much time as the daemon. Has no effect on other systems, or if the
 * program leads no session or has ended. Priorities are never raised.
 * @param niceness 0 to 19
 */
export function lowerAutogroupPriority(leader: number, niceness: number): void {
  lower({ leader, niceness, tries: TRIES })
}

function lower({ leader, niceness, tries }: { leader: number; niceness: number; tries: number }): void {
  const path = `/proc/${leader}/autogroup`
  try {
    if (sessionOf(leader) !== leader || nicenessOf(path) >= niceness) return
    writeFileSync(path, String(niceness))
  } catch (error) {
    if (!TRANSIENT_CODES.has(systemErrorCode(error) ?? '') || tries <= 1) return
    setTimeout(() => lower({ leader, niceness, tries: tries - 1 }), RETRY_MILLISECONDS).unref()
  }
}

/** The sixth field of `/proc/PID/stat`. The second field can contain any character, including brackets (proc(5)). */
function sessionOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
}

/** Parses `/autogroup-25 nice 0`. */
function nicenessOf(path: string): number {
  return Number(readFileSync(path, 'utf8').split(' nice ')[1])
}
