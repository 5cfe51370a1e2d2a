import type { Worker } from 'node:worker_threads'
import { startThread } from '../threads/index.ts'

/** The tasks of a thread: `stat` of folders and files, or `walk` of a tree. */
export type DiskWork = 'stat' | 'walk'

/** A thread for file system calls, which may block forever; used by one caller at a time. */
export type DiskThread = {
  worker: Worker
  /** Returns the thread to the pool after it has answered everything. The caller has removed its own listeners. */
  release(): void
  /** Terminates a thread that may hang. Not awaited: a thread that is blocked by a dead mount ends only when the mount answers. */
  discard(): void
}

/** A pool of threads for file system calls. */
export type DiskThreads = {
  /** Takes an idle thread or starts one. An idle thread ends after ten seconds and does not keep the process alive. */
  acquire: (work: DiskWork) => DiskThread
  /** The number of threads that are blocked in this work, by disks that do not answer. */
  countHanging: (work: DiskWork) => number
}

/** Listing folders allocates much short-lived memory. */
const YOUNG_GENERATION_MEBIBYTES = 3

/** A scan checks the root, walks, and checks again. Starting a thread costs as much as listing ten thousand files. */
const IDLE_MILLISECONDS = 10_000

type IdleThread = { worker: Worker; timer: NodeJS.Timeout }

/** Creates a pool, which starts its threads when they are needed. */
export function createDiskThreads(): DiskThreads {
  /** Discarded threads that have not ended, with their last task; each is blocked by a mount that hangs. */
  const discarded = new Map<Worker, DiskWork>()
  let idle: IdleThread[] = []

  function removeIdle(worker: Worker): void {
    idle = idle.filter((one) => one.worker !== worker)
  }

  function start(): Worker {
    const worker = startThread({
      file: 'disk-worker',
      from: import.meta,
      youngMebibytes: YOUNG_GENERATION_MEBIBYTES,
    })
    worker.once('exit', () => {
      removeIdle(worker)
      discarded.delete(worker)
    })
    // An idle thread that fails is only removed from the pool.
    worker.on('error', () => removeIdle(worker))
    return worker
  }

  function release(worker: Worker): void {
    worker.unref()
    const timer = setTimeout(() => {
      // Removed before it ends, which takes a while: a caller that took it now would wait forever.
      removeIdle(worker)
      void worker.terminate()
    }, IDLE_MILLISECONDS)
    timer.unref()
    idle.push({ worker, timer })
  }

  return {
    acquire(work): DiskThread {
      const idleThread = idle.pop()
      clearTimeout(idleThread?.timer)
      const worker = idleThread?.worker ?? start()
      worker.ref()
      return {
        worker,
        release: () => release(worker),
        discard() {
          discarded.set(worker, work)
          void worker.terminate()
        },
      }
    },
    countHanging: (work): number => [...discarded.values()].filter((one) => one === work).length,
  }
}
