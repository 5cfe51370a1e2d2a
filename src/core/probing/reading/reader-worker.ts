import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { readMediaFile } from './read-media-file.ts'
import type { Reading, ReadRequest } from './reading.ts'

/** What a reader thread is started with: one Int32, the position in the batch of the file that it is reading. */
export type ReaderOrder = { position: SharedArrayBuffer }

/** Reads batches of files, one after the other; every file has an answer. Says through shared memory which one it is at. */
function work({ position }: ReaderOrder, port: MessagePort): void {
  const at = new Int32Array(position)
  port.on('message', (requests: ReadRequest[]) => {
    void readAll(requests, (index) => Atomics.store(at, 0, index)).then((readings) => port.postMessage(readings))
  })
}

async function readAll(requests: readonly ReadRequest[], begin: (index: number) => void): Promise<Reading[]> {
  const readings: Reading[] = []
  for (const [index, request] of requests.entries()) {
    begin(index)
    readings.push(await readMediaFile(request))
  }
  return readings
}

if (parentPort !== null) work(workerData as ReaderOrder, parentPort)
