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

/** Listing folders allocates much short-lived memory. */
const YOUNG_GENERATION_MEBIBYTES = 3

/** A scan checks the root, walks, and checks again. Starting a thread costs as much as listing ten thousand files. */
const IDLE_MILLISECONDS = 10_000

type IdleThread = { worker: Worker; timer: NodeJS.Timeout }

/** Discarded threads that have not ended; each is blocked by a mount that hangs. */
const discarded: Record<DiskWork, Set<Worker>> = { stat: new Set(), walk: new Set() }

const idle: Record<DiskWork, IdleThread[]> = { stat: [], walk: [] }

/** Takes an idle thread for this work or starts one. An idle thread ends after ten seconds and does not keep the process alive. */
export function acquireDiskThread(work: DiskWork): DiskThread {
  const idleThread = idle[work].pop()
  clearTimeout(idleThread?.timer)
  const worker = idleThread?.worker ?? start(work)
  worker.ref()
  return {
    worker,
    release() {
      worker.unref()
      const timer = setTimeout(() => {
        // Removed before it ends, which takes a while: a caller that took it now would wait forever.
        removeIdle(work, worker)
        void worker.terminate()
      }, IDLE_MILLISECONDS)
      timer.unref()
      idle[work].push({ worker, timer })
    },
    discard() {
      discarded[work].add(worker)
      void worker.terminate()
    },
  }
}

/** The number of threads of this work that are blocked by disks that do not answer. */
export function countHangingThreads(work: DiskWork): number {
  return discarded[work].size
}

function start(work: DiskWork): Worker {
  const worker = startThread({ file: `${work}-worker`, from: import.meta, youngMebibytes: YOUNG_GENERATION_MEBIBYTES })
  worker.once('exit', () => {
    removeIdle(work, worker)
    discarded[work].delete(worker)
  })
  // An idle thread that fails is only removed from the pool.
  worker.on('error', () => removeIdle(work, worker))
  return worker
}

function removeIdle(work: DiskWork, worker: Worker): void {
  idle[work] = idle[work].filter((one) => one.worker !== worker)
}
