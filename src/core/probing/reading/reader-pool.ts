import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Reading, ReadRequest } from './reading.ts'
import type { ReaderOrder } from './reader-worker.ts'

/** Threads that read files. Whatever a file does to its thread, every call has an answer, and only that file is blamed. */
export type ReaderPool = {
  read(request: ReadRequest): Promise<Reading>
  /** Ends the threads; what is still being read is answered as unreadable. */
  close(): Promise<void>
}

export type ReaderPoolInput = {
  threads: number
  /** How long one file may take: a damaged file, or a disk that hangs. */
  fileLimitMilliseconds?: number
  /** What a thread may keep beside its heap: a document of a few megabytes can unpack to gigabytes. */
  bufferLimitBytes?: number
}

const FILES_PER_BATCH = 64
const FILE_LIMIT_MILLISECONDS = 30_000
const WATCH_MILLISECONDS = 1000
const BUFFER_LIMIT_BYTES = 384 * 1024 * 1024

/** A thread's heap; a parser that wants more is ended with its thread. */
const HEAP_MEBIBYTES = 256

/** A thread that parses makes much garbage and keeps little; V8's default would take 48 MiB of each. */
const YOUNG_MEBIBYTES = 8

/** What parsers leave behind over many thousand files goes with the thread. */
const FILES_PER_THREAD = 20_000

type Task = { request: ReadRequest; resolve: (reading: Reading) => void }

type Reader = {
  worker: Worker
  position: Int32Array
  batch: Task[]
  filesRead: number
  /** When the file at `watched` was first seen to be under way. */
  watched: { position: number; since: number }
}

export function createReaderPool({
  threads,
  fileLimitMilliseconds = FILE_LIMIT_MILLISECONDS,
  bufferLimitBytes = BUFFER_LIMIT_BYTES,
}: ReaderPoolInput): ReaderPool {
  const waiting: Task[] = []
  const readers = new Set<Reader>()
  const idle: Reader[] = []
  let isClosed = false
  let watch: NodeJS.Timeout | undefined

  const dispatch = (): void => {
    while (waiting.length > 0 && !isClosed) {
      const reader = idle.pop() ?? (readers.size < threads ? start() : undefined)
      if (reader === undefined) return
      reader.batch = waiting.splice(0, Math.min(FILES_PER_BATCH, Math.ceil(waiting.length / threads)))
      reader.watched = { position: -1, since: performance.now() }
      Atomics.store(reader.position, 0, -1)
      watch ??= setInterval(endStuckReaders, Math.min(WATCH_MILLISECONDS, fileLimitMilliseconds))
      const requests: ReadRequest[] = reader.batch.map(({ request }) => request)
      reader.worker.ref()
      reader.worker.postMessage(requests)
    }
  }

  const start = (): Reader => {
    const order: ReaderOrder = { position: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) }
    const worker = new Worker(new URL(`./reader-worker${extname(import.meta.filename)}`, import.meta.url), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEBIBYTES, maxYoungGenerationSizeMb: YOUNG_MEBIBYTES },
    })
    const reader: Reader = {
      worker,
      position: new Int32Array(order.position),
      batch: [],
      filesRead: 0,
      watched: { position: -1, since: 0 },
    }
    readers.add(reader)
    worker.on('message', (readings: Reading[]) => settle(reader, readings))
    worker.once('error', (error) => lose(reader, `the reader failed: ${error.message.slice(0, 200)}`))
    worker.once('exit', () => lose(reader, 'the reader ended'))
    return reader
  }

  const settle = (reader: Reader, readings: readonly Reading[]): void => {
    const batch = reader.batch.splice(0)
    for (const [index, task] of batch.entries())
      task.resolve(readings[index] ?? unreadable('the reader gave no answer'))
    reader.filesRead += batch.length
    if (reader.filesRead >= FILES_PER_THREAD) {
      readers.delete(reader)
      void reader.worker.terminate()
    } else {
      reader.worker.unref()
      idle.push(reader)
    }
    restWhenIdle()
    dispatch()
  }

  /** The file that the thread was at is to blame; the ones before and after it are read again by another. */
  const lose = (reader: Reader, reason: string): void => {
    if (!readers.delete(reader)) return
    const position = Math.max(Atomics.load(reader.position, 0), 0)
    const batch = reader.batch.splice(0)
    batch[position]?.resolve(unreadable(reason))
    waiting.unshift(...batch.filter((_, index) => index !== position))
    const place = idle.indexOf(reader)
    if (place >= 0) idle.splice(place, 1)
    void reader.worker.terminate()
    restWhenIdle()
    if (isClosed) abandon()
    else dispatch()
  }

  const endStuckReaders = (): void => {
    const now = performance.now()
    for (const reader of readers) {
      if (reader.batch.length === 0) continue
      const position = Atomics.load(reader.position, 0)
      // A thread that is still starting has no file to blame.
      if (position < 0) continue
      if (position !== reader.watched.position) reader.watched = { position, since: now }
      else if (now - reader.watched.since > fileLimitMilliseconds) {
        lose(reader, `not read within ${fileLimitMilliseconds / 1000} s`)
      } else void endIfTooLarge(reader, position)
    }
  }

  /** The limit of the heap does not count buffers. A thread that ended meanwhile has been dealt with. */
  const endIfTooLarge = async (reader: Reader, position: number): Promise<void> => {
    const heap = await reader.worker.getHeapStatistics().catch(() => undefined)
    const isSame = reader.batch.length > 0 && Atomics.load(reader.position, 0) === position
    if (heap !== undefined && heap.external_memory > bufferLimitBytes && isSame) {
      lose(reader, 'it takes too much memory to read')
    }
  }

  const restWhenIdle = (): void => {
    if ([...readers].some(({ batch }) => batch.length > 0)) return
    clearInterval(watch)
    watch = undefined
  }

  const abandon = (): void => {
    for (const { resolve } of waiting.splice(0)) resolve(unreadable('reading was ended'))
  }

  return {
    read(request) {
      return new Promise((resolve) => {
        waiting.push({ request, resolve })
        if (isClosed) abandon()
        // Once per turn, so that what is asked for together travels together.
        else if (waiting.length === 1) setImmediate(dispatch)
      })
    },
    async close() {
      isClosed = true
      clearInterval(watch)
      abandon()
      const open = [...readers]
      for (const reader of open) lose(reader, 'reading was ended')
      await Promise.all(open.map(({ worker }) => worker.terminate()))
    },
  }
}

function unreadable(reason: string): Reading {
  return { kind: 'unreadable', code: 'reader_failed', reason, local: [] }
}
