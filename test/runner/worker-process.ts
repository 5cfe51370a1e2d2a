import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FileDone, RunnerMessage, WorkerMessage } from './worker-messages.ts'

const ENTRY = join(import.meta.dirname, 'worker.ts')
/** Far above what any file takes on a loaded machine; a file that needs longer hangs. */
const FILE_TIMEOUT_MILLISECONDS = 420_000
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
  /** Lets it end by itself, within a time. Answers what kept it alive; empty when nothing did. */
  stop: (exitSeconds: number) => Promise<string[]>
}

export async function startWorker(): Promise<WorkerProcess> {
  const startedAt = performance.now()
  const child = fork(ENTRY, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let output = ''
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT_CHARACTERS)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  // A worker that cannot start is reported as a crash of its first file.
  await Promise.race([nextMessage(child, 'ready'), exited])
  return {
    startMilliseconds: performance.now() - startedAt,
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    async run(file) {
      output = ''
      const fileStartedAt = performance.now()
      const timeout = createTimeout(FILE_TIMEOUT_MILLISECONDS)
      if (child.connected) child.send({ type: 'run', file } satisfies RunnerMessage)
      const ended = await Promise.race([nextMessage(child, 'done'), exited, timeout.expired])
      timeout.clear()
      const durationMilliseconds = performance.now() - fileStartedAt
      if (ended !== 'expired' && !Array.isArray(ended)) return { ...ended, output }
      const reason =
        ended === 'expired'
          ? await describeHang(child, exited)
          : `the process of the test ended with ${ended[1] ?? `exit code ${ended[0]}`}`
      return failedResult({ file, reason, output, durationMilliseconds })
    },
    async stop(exitSeconds) {
      if (child.exitCode !== null || child.signalCode !== null) return []
      const timeout = createTimeout(exitSeconds * 1000)
      if (child.connected) child.send({ type: 'end' } satisfies RunnerMessage)
      const ended = await Promise.race([exited, timeout.expired])
      timeout.clear()
      if (ended !== 'expired') return []
      const state = await describeState(child)
      child.kill('SIGKILL')
      await exited
      return state?.resources ?? ['unknown']
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
async function describeHang(child: ChildProcess, exited: Promise<unknown>): Promise<string> {
  const state = await describeState(child)
  child.kill('SIGKILL')
  await exited
  const seconds = FILE_TIMEOUT_MILLISECONDS / 1000
  const known = state === undefined ? 'its thread is busy' : `open: ${state.resources.join(', ')}\n${state.report}`
  return `no end after ${seconds} s; ${known}`
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
    setup: {},
    output,
  }
}

function createTimeout(milliseconds: number): { expired: Promise<'expired'>; clear: () => void } {
  const { promise, resolve } = Promise.withResolvers<'expired'>()
  const timer = setTimeout(() => resolve('expired'), milliseconds)
  return { expired: promise, clear: () => clearTimeout(timer) }
}
