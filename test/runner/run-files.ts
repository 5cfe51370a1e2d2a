import { availableParallelism } from 'node:os'
import { ISOLATED_FILES } from './isolated-files.ts'
import type { PlannedFile } from './plan-run.ts'
import { startWorker, type FileResult, type WorkerProcess, type WorkerTimes } from './worker-process.ts'

export type RunOptions = WorkerTimes & {
  /** How many files run at the same time. */
  jobs: number
  /** Called for each file as soon as it has ended. */
  onResult: (result: FileResult) => void
}

/** One more than processors: tests also wait for the database, encoders and processes. */
export const DEFAULT_JOBS = availableParallelism() + 1

/** Runs the files in their order. Never rejects because of a test. */
export async function runFiles(files: readonly PlannedFile[], options: RunOptions): Promise<void> {
  const waiting = files.map(({ file }) => file)
  const lanes = Array.from({ length: Math.min(options.jobs, files.length) }, () => runLane(waiting, options))
  await Promise.all(lanes)
}

/** Takes one file after the other. The files share one process, unless they need one of their own or a file before them failed. */
async function runLane(waiting: string[], options: RunOptions): Promise<void> {
  const { onResult } = options
  let shared: WorkerProcess | undefined
  let filesOfShared: string[] = []
  const endShared = async (): Promise<void> => {
    const [worker, files] = [shared, filesOfShared]
    ;[shared, filesOfShared] = [undefined, []]
    if (worker !== undefined) await stopWorker(worker, files, onResult)
  }
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (ISOLATED_FILES.has(file)) {
      onResult(await runAlone(file, options))
      continue
    }
    const isNew = shared === undefined
    shared ??= await startWorker(options)
    const result = await shared.run(file)
    filesOfShared.push(file)
    if (isNew) result.setup.process = shared.startMilliseconds
    onResult(result)
    // What a failed file left behind must not fail those after it.
    if (isFailed(result) || !shared.isAlive()) await endShared()
  }
  await endShared()
}

/** Runs a file in a process of its own. What keeps that process alive is a failure of the file. */
export async function runAlone(file: string, times: WorkerTimes): Promise<FileResult> {
  const worker = await startWorker(times)
  const result = await worker.run(file)
  result.setup.process = worker.startMilliseconds
  const fault = await worker.stop()
  return fault === undefined ? result : withFault(result, fault)
}

export function isFailed({ assertions, leftBehind }: FileResult): boolean {
  return assertions.failed > 0 || leftBehind.length > 0
}

async function stopWorker(
  worker: WorkerProcess,
  files: readonly string[],
  onResult: (result: FileResult) => void,
): Promise<void> {
  const fault = await worker.stop()
  if (fault === undefined) return
  const none = { passed: 0, failed: 0, skipped: 0 }
  const times = { durationMilliseconds: 0, processorMilliseconds: 0, setup: {} }
  const empty = { type: 'done', report: '', output: '', leftBehind: [], ...times } as const
  onResult(withFault({ ...empty, leftBehind: [], assertions: none, file: `one of ${files.join(' ')}` }, fault))
}

function withFault(result: FileResult, fault: string): FileResult {
  const line = `not ok - ${fault}\n`
  const assertions = { ...result.assertions, failed: result.assertions.failed + 1 }
  return { ...result, assertions, report: result.report + line }
}
