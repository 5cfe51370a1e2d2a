import { readFileSync, writeFileSync } from 'node:fs'
import { systemErrorCode } from '../errors/index.ts'

/** The kernel takes one such wish per tenth of a second from all who are not root (kernel/sched/autogroup.c). */
const AGAIN_MILLISECONDS = 120
const TRIES = 5

/**
 * Lets a program that leads a session of its own step back for other sessions, with all that it starts there. Linux shares processors
 * between sessions first, and by priority only within each (sched(7), "The autogroup feature"), unless a cgroup rules: an encoder of the
 * lowest priority in a session of its own would get as much as the daemon. Other systems, a program in somebody else's session and one that
 * has ended stay as they are. Nobody's priority is raised.
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
    if (systemErrorCode(error) !== 'EAGAIN' || tries <= 1) return
    setTimeout(() => lower({ leader, niceness, tries: tries - 1 }), AGAIN_MILLISECONDS).unref()
  }
}

/** The sixth field of `/proc/PID/stat`; the second may hold anything, brackets too (proc(5)). */
function sessionOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
}

/** Of `/autogroup-25 nice 0`. */
function nicenessOf(path: string): number {
  return Number(readFileSync(path, 'utf8').split(' nice ')[1])
}
