import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { yieldToRequests, yieldToStatements, lowerThreadPriority } from '../../platform/threads/index.ts'
import { readMediaFile } from './read-media-file.ts'
import type { Reading, ReadRequest } from './reading.ts'

/** What a reader thread is started with. */
export type ReaderOrder = {
  /** One Int32, the number of the file that it is reading, counted from 0 over its life. */
  position: SharedArrayBuffer
  /** Whether it would take the last free processor from those who wait for an answer. */
  isLast: boolean
}

/** Reads files one after the other; each message of some has one answer of as many. Says through shared memory which one it is at. */
function work({ position, isLast }: ReaderOrder, port: MessagePort): void {
  const at = new Int32Array(position)
  const begin = (): void => {
    if (isLast) yieldToStatements()
    yieldToRequests()
    Atomics.add(at, 0, 1)
  }
  let turn = Promise.resolve()
  port.on('message', (requests: ReadRequest[]) => {
    turn = turn.then(async () => port.postMessage(await readAll(requests, begin)))
  })
}

async function readAll(requests: readonly ReadRequest[], begin: () => void): Promise<Reading[]> {
  const readings: Reading[] = []
  for (const request of requests) {
    begin()
    readings.push(await readMediaFile(request))
  }
  return readings
}

if (parentPort !== null) {
  lowerThreadPriority()
  work(workerData as ReaderOrder, parentPort)
}
