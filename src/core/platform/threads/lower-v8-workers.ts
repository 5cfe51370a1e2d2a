import { readdirSync, readFileSync } from 'node:fs'
import { lowerPriority } from '../priorities/index.ts'

const THREADS = '/proc/self/task'

/** Between those who answer and those who read: what is cleaned up too late makes the heaps of readers grow. */
const WORKER_PRIORITY = 5

/**
 * V8 marks, sweeps and compiles for all threads of a process in the same few worker threads, which are as important as the main thread
 * unless somebody says otherwise: four of them keep whoever answers requests from both processors of a small machine. Node names them
 * (node_platform.cc); where they have another name, or threads no priority of their own, they stay as they are.
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

/** Empty when the thread has ended meanwhile. */
function nameOf(thread: string): string {
  try {
    return readFileSync(`${THREADS}/${thread}/comm`, 'utf8')
  } catch {
    return ''
  }
}
