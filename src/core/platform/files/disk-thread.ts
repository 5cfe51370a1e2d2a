import type { Worker } from 'node:worker_threads'
import { startThread } from '../threads/index.ts'

/** What a thread does: `stat` of folders and files, or `walk` through a tree. */
export type DiskWork = 'stat' | 'walk'

/** A thread that talks to a disk, which may never answer; taken by one caller at a time. */
export type DiskThread = {
  worker: Worker
  /** It has answered everything: the next caller may have it. The caller's own listeners are gone by then. */
  release(): void
  /** It may hang. Not awaited: a thread that waits for a dead mount ends when the mount answers. */
  discard(): void
}

/** Listing folders makes much garbage and keeps little. */
const YOUNG_MEBIBYTES = 3

/** A scan looks, walks and looks again; starting a thread costs as much as listing ten thousand files. */
const REST_MILLISECONDS = 10_000

type Resting = { worker: Worker; timer: NodeJS.Timeout }

/** Threads that were given up and have not ended: a mount that hangs keeps each of them. */
const givenUp: Record<DiskWork, Set<Worker>> = { stat: new Set(), walk: new Set() }

const resting: Record<DiskWork, Resting[]> = { stat: [], walk: [] }

/** A thread for this work: one that rests, or a new one. A resting one ends after ten seconds and keeps no process alive. */
export function takeDiskThread(work: DiskWork): DiskThread {
  const rested = resting[work].pop()
  clearTimeout(rested?.timer)
  const worker = rested?.worker ?? start(work)
  worker.ref()
  return {
    worker,
    release() {
      worker.unref()
      const timer = setTimeout(() => {
        // Before it has ended, which takes a while: who takes it now would wait for an answer that never comes.
        forgetResting(work, worker)
        void worker.terminate()
      }, REST_MILLISECONDS)
      timer.unref()
      resting[work].push({ worker, timer })
    },
    discard() {
      givenUp[work].add(worker)
      void worker.terminate()
    },
  }
}

/** How many threads of this work wait for disks that do not answer. */
export function countHangingThreads(work: DiskWork): number {
  return givenUp[work].size
}

function start(work: DiskWork): Worker {
  const worker = startThread({ file: `${work}-worker`, from: import.meta, youngMebibytes: YOUNG_MEBIBYTES })
  worker.once('exit', () => {
    forgetResting(work, worker)
    givenUp[work].delete(worker)
  })
  // One that rests and fails is only forgotten.
  worker.on('error', () => forgetResting(work, worker))
  return worker
}

function forgetResting(work: DiskWork, worker: Worker): void {
  resting[work] = resting[work].filter((one) => one.worker !== worker)
}
