import type { Worker } from 'node:worker_threads'
import { startThread } from '../threads/index.ts'

/** The tasks of a thread: `stat` of folders and files, or `walk` of a tree. */
export type DiskTask = 'stat' | 'walk'

/** A thread for file system calls, which may block forever; used by one caller at a time. */
export type DiskThread = {
  worker: Worker
  /** Returns the thread to the pool. Call it only after the last answer, and after the listeners of the caller are removed. */
  release(): void
  /** Terminates a thread that may hang. Not awaited: a thread that is blocked by a dead mount ends only when the mount responds. */
  discard(): void
}

/** A pool of threads for file system calls. */
export type DiskThreads = {
  /** Takes an idle thread or starts one. An idle thread ends after ten seconds and does not keep the process alive. */
  acquire: (work: DiskTask) => DiskThread
  /** The number of threads that unresponsive disks block during this kind of work. */
  countHanging: (work: DiskTask) => number
}

/** Listing folders allocates many short-lived objects. A small young generation frees them early. */
const YOUNG_GENERATION_MEBIBYTES = 3

/**
 * Idle time before a thread ends. A scan needs a thread several times (check the root, walk, check again), and a start costs as much as
 * listing ten thousand files.
 */
const IDLE_MILLISECONDS = 10_000

type IdleThread = { worker: Worker; timer: NodeJS.Timeout }

/** Creates a pool, which starts its threads when they are needed. */
export function createDiskThreads(): DiskThreads {
  /** Discarded threads that have not ended, with their last task; each is blocked by a mount that hangs. */
  const discarded = new Map<Worker, DiskTask>()
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
      // Remove it first, because termination takes a while. A caller that acquired it meanwhile would wait forever.
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
