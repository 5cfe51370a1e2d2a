import type { SetupTimes } from './setup-times.ts'

/** From the runner to a worker: run a file, say what is open now, or end when nothing is open. */
export type RunnerMessage = { type: 'run'; file: string } | { type: 'describe' } | { type: 'end' }

export type Assertions = { passed: number; failed: number; skipped: number }

/** From a worker to the runner. */
export type WorkerMessage = { type: 'ready' } | FileDone | { type: 'state'; report: string; resources: string[] }

export type FileDone = {
  type: 'done'
  file: string
  assertions: Assertions
  /** The file's part of the report, in the Test Anything Protocol. */
  report: string
  /** Changes of shared process state that the file left behind, a line each. */
  leftBehind: string[]
  durationMilliseconds: number
  /** Of the worker and of the processes that it started and that have ended. */
  processorMilliseconds: number
  setup: SetupTimes
}
