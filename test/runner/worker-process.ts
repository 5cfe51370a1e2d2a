import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FileDone, RunnerMessage, WorkerMessage } from './worker-messages.ts'

const ENTRY = join(import.meta.dirname, 'worker.ts')
/**
 * To start a program, the kernel copies the page tables of the worker: 5 ms of processor time per 100 MB. Young objects get 24 MB at most
 * instead of 96 MB, which takes 100 MB off a worker that runs route tests, at the same processor time.
 */
const SMALL_HEAP = ['--max-semi-space-size=8']
const START_TIMEOUT_MILLISECONDS = 60_000
const OUTPUT_TIMEOUT_MILLISECONDS = 1000
const DESCRIBE_TIMEOUT_MILLISECONDS = 5000
const MAX_OUTPUT_CHARACTERS = 20_000

export type FileResult = FileDone & {
  /** What the file wrote to standard output and standard error. */
  output: string
}

/** A worker as its parent sees it. It runs one file at a time. */
export type WorkerProcess = {
  /** How long the process took to start and load the test framework. */
  startMilliseconds: number
  /** False once it has crashed or was ended. */
  isAlive: () => boolean
  /** Never rejects: a crash and a timeout are failed results. */
  run: (file: string) => Promise<FileResult>
  /** Lets it end by itself, within a time. Answers what is wrong with its end; undefined when nothing is. */
  stop: () => Promise<string | undefined>
}

export type WorkerTimes = {
  /** After which a file counts as hanging. */
  fileSeconds: number
  /** How long a process may take to end after its last file. */
  exitSeconds: number
}

// The processes of a run that was interrupted have to be found by a signal handler, which has no other way to them.
const living = new Set<ChildProcess>()

/** Ends all workers and what they have started. */
export function killWorkers(): void {
  for (const child of living) killGroup(child)
}

export async function startWorker({ fileSeconds, exitSeconds }: WorkerTimes): Promise<WorkerProcess> {
  const startedAt = performance.now()
  // A process group of its own: what a test file that hangs has started ends with it.
  const child = fork(ENTRY, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: SMALL_HEAP, detached: true })
  living.add(child)
  child.once('exit', () => living.delete(child))
  // A message to a process that has just ended. Its end is reported.
  child.on('error', () => {})
  let isReported = false
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let output = ''
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT_CHARACTERS)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  // A worker that cannot start is reported as a crash of its first file.
  const start = createTimeout(START_TIMEOUT_MILLISECONDS)
  if ((await Promise.race([nextMessage(child, 'ready'), exited, start.expired])) === 'expired') killGroup(child)
  start.clear()
  return {
    startMilliseconds: performance.now() - startedAt,
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    async run(file) {
      output = ''
      const fileStartedAt = performance.now()
      const timeout = createTimeout(fileSeconds * 1000)
      if (child.connected) child.send({ type: 'run', file } satisfies RunnerMessage)
      const ended = await Promise.race([nextMessage(child, 'done'), exited, timeout.expired])
      timeout.clear()
      const durationMilliseconds = performance.now() - fileStartedAt
      if (ended !== 'expired' && !Array.isArray(ended)) return { ...ended, output }
      isReported = true
      const reason =
        ended === 'expired'
          ? await describeHang(child, { exited, fileSeconds })
          : `the process of the test ${endOf(ended)}`
      await untilOutputEnds(child)
      return failedResult({ file, reason, output, durationMilliseconds })
    },
    async stop() {
      const timeout = createTimeout(exitSeconds * 1000)
      if (child.connected) child.send({ type: 'end' } satisfies RunnerMessage)
      const ended = await Promise.race([exited, timeout.expired])
      timeout.clear()
      if (ended !== 'expired') {
        const isGood = isReported || (ended[0] === 0 && ended[1] === null)
        return isGood ? undefined : `the process of the tests ${endOf(ended)} after its last file`
      }
      const state = await describeState(child)
      killGroup(child)
      await exited
      return `the process does not end because of what is still open: ${state?.resources.join(', ') ?? 'unknown'}`
    },
  }
}

/** The test framework sends messages of its own, several in one read, so each message is looked at as it comes. */
function nextMessage<Type extends WorkerMessage['type']>(
  child: ChildProcess,
  type: Type,
): Promise<Extract<WorkerMessage, { type: Type }>> {
  return new Promise((resolve) => {
    const look = (message: WorkerMessage): void => {
      if (message.type !== type) return
      child.off('message', look)
      resolve(message as Extract<WorkerMessage, { type: Type }>)
    }
    child.on('message', look)
  })
}

async function describeState(child: ChildProcess): Promise<Extract<WorkerMessage, { type: 'state' }> | undefined> {
  if (!child.connected) return undefined
  const timeout = createTimeout(DESCRIBE_TIMEOUT_MILLISECONDS)
  child.send({ type: 'describe' } satisfies RunnerMessage)
  const state = await Promise.race([nextMessage(child, 'state'), timeout.expired])
  timeout.clear()
  return state === 'expired' ? undefined : state
}

/** Ends a worker whose file does not end. */
async function describeHang(
  child: ChildProcess,
  { exited, fileSeconds }: { exited: Promise<unknown>; fileSeconds: number },
): Promise<string> {
  const state = await describeState(child)
  killGroup(child)
  await exited
  const known = state === undefined ? 'its thread is busy' : `open: ${state.resources.join(', ')}\n${state.report}`
  return `no end after ${fileSeconds} s; ${known}`
}

function endOf([code, signal]: readonly [number | null, NodeJS.Signals | null]): string {
  return `ended with ${signal ?? `exit code ${code}`}`
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** The last words of a process that crashed may still be in its pipes. Processes that it started may hold them open. */
async function untilOutputEnds(child: ChildProcess): Promise<void> {
  const timeout = createTimeout(OUTPUT_TIMEOUT_MILLISECONDS)
  await Promise.race([once(child, 'close'), timeout.expired])
  timeout.clear()
}

type Failure = { file: string; reason: string; output: string; durationMilliseconds: number }

function failedResult({ file, reason, output, durationMilliseconds }: Failure): FileResult {
  return {
    type: 'done',
    file,
    assertions: { passed: 0, failed: 1, skipped: 0 },
    report: `not ok - ${file}: ${reason}\n`,
    leftBehind: [],
    durationMilliseconds,
    processorMilliseconds: 0,
    setup: {},
    output,
  }
}

function createTimeout(milliseconds: number): { expired: Promise<'expired'>; clear: () => void } {
  const { promise, resolve } = Promise.withResolvers<'expired'>()
  const timer = setTimeout(() => resolve('expired'), milliseconds)
  return { expired: promise, clear: () => clearTimeout(timer) }
}
