import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { createBackgroundThrottle, lowerThreadPriority } from '../../platform/threads/index.ts'
import { readMediaFile } from './read-media-file.ts'
import { createReaderState, loadModulesFor, type ReaderState } from './reader-state.ts'
import { isRequestedByClient, type ReadKind, type FileReadResult, type ReadRequest } from './read-request.ts'

/** Start parameters of a reader thread. */
export type ReaderData = {
  /** A single Int32: the number of the current file, counted from 0 since the start of the thread. */
  position: SharedArrayBuffer
  /** Whether this thread would occupy the last free processor. */
  isLast: boolean
}

/** A message to a reader thread; only `read` is answered. */
export type ReaderTask = { kind: 'read'; requests: readonly ReadRequest[] } | { kind: 'prepare'; as: ReadKind }

/**
 * Reads files in order. Each message of requests is answered by one message with as many results. The current file is published through
 * shared memory. The thread waits for running requests of clients before it reads a file for a scan, and has a lower priority from the
 * first such file on. It does not wait before it reads a file for a client: the request of that client is one of the running requests.
 */
function work({ position, isLast }: ReaderData, port: MessagePort): void {
  const at = new Int32Array(position)
  const state = createReaderState()
  const { yieldToRequests, yieldToStatements } = createBackgroundThrottle()
  let isLowered = false
  const begin = (request: ReadRequest): void => {
    if (!isRequestedByClient(request)) {
      if (!isLowered) lowerThreadPriority()
      isLowered = true
      if (isLast) yieldToStatements()
      yieldToRequests()
    }
    Atomics.add(at, 0, 1)
  }
  let queue = Promise.resolve()
  port.on('message', (task: ReaderTask) => {
    queue = queue.then(async () => {
      if (task.kind === 'prepare') await loadModulesFor(state, task.as)
      else port.postMessage(await readAll(state, task.requests, begin))
    })
  })
}

async function readAll(
  state: ReaderState,
  requests: readonly ReadRequest[],
  begin: (request: ReadRequest) => void,
): Promise<FileReadResult[]> {
  const readings: FileReadResult[] = []
  for (const request of requests) {
    begin(request)
    readings.push(await readMediaFile(state, request))
  }
  return readings
}

if (parentPort !== null) work(workerData as ReaderData, parentPort)
