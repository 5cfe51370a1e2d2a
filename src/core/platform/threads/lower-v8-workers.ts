import { readdirSync, readFileSync } from 'node:fs'
import { lowerPriority } from '../priorities/index.ts'

const THREADS = '/proc/self/task'

/** Between requests and disk readers: a late collection makes the heaps of the readers grow. */
const WORKER_PRIORITY = 5

/**
 * V8 marks, sweeps and compiles for all threads of a process in a few common worker threads, by default with the priority of the main
 * thread: on a small machine four of them keep requests from both processors. They are found by Node's thread name (node_platform.cc). No
 * effect where the name differs or threads have no priority of their own.
 */
export function lowerV8Workers(): void {
  for (const thread of listThreads()) {
    if (nameOf(thread).startsWith('V8Worker')) lowerPriority(Number(thread), WORKER_PRIORITY)
  }
}

function listThreads(): string[] {
  try {
    return readdirSync(THREADS)
  } catch {
    return []
  }
}

/** Empty when the thread has ended in the meantime. */
function nameOf(thread: string): string {
  try {
    return readFileSync(`${THREADS}/${thread}/comm`, 'utf8')
  } catch {
    return ''
  }
}
