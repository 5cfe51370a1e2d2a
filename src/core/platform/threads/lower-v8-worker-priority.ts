import { readdirSync, readFileSync } from 'node:fs'
import { lowerPriority } from '../priorities/index.ts'

const THREADS = '/proc/self/task'

/** Lower than the priority of requests and higher than the priority of disk readers, whose heaps grow when collections are late. */
const WORKER_PRIORITY = 5

/**
 * Lowers the priority of V8's worker threads, which collect garbage and compile code for all threads of the process. By default they have
 * the priority of the main thread, and four of them can occupy both processors of a small machine while requests wait. They are found by
 * Node's thread name (node_platform.cc). No effect where the name differs or threads have no separate priority.
 */
export function lowerV8WorkerPriority(): void {
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
