import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../platform/threads/index.ts'
import type { Reading, ReadRequest } from './reading.ts'
import type { ReaderOrder } from './reader-worker.ts'

/** Threads that read files. Whatever a file does to its thread, every call has an answer, and only that file is blamed. */
export type ReaderPool = {
  /**
   * Once the signal fires nobody waits for the file any more, be its disk hanging.
   * @throws the signal's reason
   */
  read(request: ReadRequest, signal?: AbortSignal): Promise<Reading>
  /** Ends the threads; what is still being read is answered as unreadable. Waits a second for threads that hang, no longer. */
  close(): Promise<void>
}

export type ReaderPoolInput = {
  threads?: number
  /** How long one file may take: a damaged file, or a disk that hangs. */
  fileLimitMilliseconds?: number
  /** What a thread may keep beside its heap: a document of a few megabytes can unpack to gigabytes. */
  bufferLimitBytes?: number
}

/** Two messages lie with a thread, so that it goes on reading while this thread is busy with what it has read. */
const FILES_PER_MESSAGE = 32
const MESSAGES_PER_READER = 2

const FILE_LIMIT_MILLISECONDS = 30_000
const WATCH_MILLISECONDS = 1000
const BUFFER_LIMIT_BYTES = 384 * 1024 * 1024

/** A thread's heap; a parser that wants more is ended with its thread. */
const HEAP_MEBIBYTES = 256

/** A thread that parses makes much garbage and keeps little. */
const YOUNG_MEBIBYTES = 6

/** What parsers leave behind over many thousand files goes with the thread. */
const FILES_PER_THREAD = 20_000

/** How long closing waits for threads: one that waits for a dead mount ends when the mount answers. */
const GOODBYE_MILLISECONDS = 1000

/** `isAbandoned`: nobody waits for it any more. */
type Task = { request: ReadRequest; resolve: (reading: Reading) => void; isAbandoned: boolean }

type Reader = {
  worker: Worker
  /** Holds the number of the file that the thread is at, counted from 0 over its life; -1 while it starts. */
  position: Int32Array
  /** What lies with the thread, in its order. */
  batch: Task[]
  messages: number
  /** Number of the first file in `batch`. */
  filesRead: number
  /** When the file at `watched` was first seen to be under way. */
  watched: { position: number; since: number }
}

/** More than four read faster than one database writes. */
const MAX_THREADS = 4

export function createReaderPool({
  threads = Math.min(MAX_THREADS, availableParallelism()),
  fileLimitMilliseconds = FILE_LIMIT_MILLISECONDS,
  bufferLimitBytes = BUFFER_LIMIT_BYTES,
}: ReaderPoolInput = {}): ReaderPool {
  const waiting: Task[] = []
  const readers = new Set<Reader>()
  let isClosed = false
  let watch: NodeJS.Timeout | undefined
  let abandoned: NodeJS.Immediate | undefined

  const dispatch = (): void => {
    while (waiting.length > 0 && !isClosed) {
      const reader = freeReader()
      if (reader === undefined) return
      const tasks = waiting.splice(0, Math.min(FILES_PER_MESSAGE, Math.ceil(waiting.length / threads)))
      if (reader.batch.length === 0) {
        reader.watched = { position: reader.filesRead - 1, since: performance.now() }
        reader.worker.ref()
      }
      reader.batch.push(...tasks)
      reader.messages += 1
      watch ??= setInterval(endStuckReaders, Math.min(WATCH_MILLISECONDS, fileLimitMilliseconds))
      const requests: ReadRequest[] = tasks.map(({ request }) => request)
      reader.worker.postMessage(requests)
    }
  }

  /** One that has nothing to do, else a new one, else one that will soon have nothing to do. */
  const freeReader = (): Reader | undefined => {
    const open = [...readers].filter(({ filesRead, batch }) => filesRead + batch.length < FILES_PER_THREAD)
    const idle = open.find(({ messages }) => messages === 0)
    if (idle !== undefined || readers.size < threads) return idle ?? start()
    return open.find(({ messages }) => messages < MESSAGES_PER_READER)
  }

  const start = (): Reader => {
    const order: ReaderOrder = {
      position: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
      // Whoever takes what readers have read works too.
      isLast: readers.size + 2 >= availableParallelism(),
    }
    const worker = startThread({
      file: 'reader-worker',
      from: import.meta,
      data: order,
      youngMebibytes: YOUNG_MEBIBYTES,
      heapMebibytes: HEAP_MEBIBYTES,
    })
    const reader: Reader = {
      worker,
      position: new Int32Array(order.position).fill(-1),
      batch: [],
      messages: 0,
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
    for (const [index, { resolve }] of reader.batch.splice(0, readings.length).entries())
      resolve(readings[index] ?? unreadable('the reader gave no answer'))
    reader.messages -= 1
    reader.filesRead += readings.length
    if (reader.batch.length === 0) reader.worker.unref()
    if (reader.batch.length === 0 && reader.filesRead >= FILES_PER_THREAD) {
      readers.delete(reader)
      void reader.worker.terminate()
    }
    restWhenIdle()
    dispatch()
  }

  /** The file that the thread was at is to blame; the ones after it, and those whose answers got lost, are read by another. */
  const lose = (reader: Reader, reason: string): void => {
    reader.batch[placeOf(reader)]?.resolve(unreadable(reason))
    end(reader, placeOf(reader))
  }

  const end = (reader: Reader, blamed?: number): void => {
    if (!readers.delete(reader)) return
    waiting.unshift(...reader.batch.splice(0).filter(({ isAbandoned }, index) => index !== blamed && !isAbandoned))
    void reader.worker.terminate()
    restWhenIdle()
    if (isClosed) abandon()
    else dispatch()
  }

  const giveUp = (task: Task): void => {
    task.isAbandoned = true
    const place = waiting.indexOf(task)
    if (place >= 0) waiting.splice(place, 1)
    // Whoever gives up one file gives up many.
    else abandoned ??= setImmediate(endAbandonedReaders)
  }

  /** A thread that is at a file which nobody waits for may hang. */
  const endAbandonedReaders = (): void => {
    abandoned = undefined
    for (const reader of readers) if (reader.batch[placeOf(reader)]?.isAbandoned === true) end(reader)
  }

  const endStuckReaders = (): void => {
    const now = performance.now()
    for (const reader of readers) {
      const position = Atomics.load(reader.position, 0)
      // Nothing to do, or not at it yet: there is no file to blame.
      if (position < reader.filesRead || reader.batch.length === 0) continue
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

  const ask = (request: ReadRequest, signal: AbortSignal | undefined): Promise<Reading> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        reject(signal?.reason)
        giveUp(task)
      }
      const answer = (reading: Reading): void => {
        signal?.removeEventListener('abort', onAbort)
        resolve(reading)
      }
      const task: Task = { request, resolve: answer, isAbandoned: false }
      signal?.addEventListener('abort', onAbort, { once: true })
      waiting.push(task)
      if (isClosed) abandon()
      // Once per turn, so that what is asked for together travels together.
      else if (waiting.length === 1) setImmediate(dispatch)
    })

  return {
    async read(request, signal) {
      signal?.throwIfAborted()
      return ask(request, signal)
    },
    async close() {
      isClosed = true
      clearInterval(watch)
      abandon()
      const open = [...readers]
      for (const reader of open) lose(reader, 'reading was ended')
      const ended = Promise.all(open.map(({ worker }) => worker.terminate()))
      await Promise.race([ended, pause(GOODBYE_MILLISECONDS, undefined, { ref: false })])
    },
  }
}

/** Which of its batch a thread is at; the first while it starts. */
function placeOf({ position, filesRead }: Reader): number {
  return Math.max(Atomics.load(position, 0) - filesRead, 0)
}

function unreadable(reason: string): Reading {
  return { kind: 'unreadable', code: 'reader_failed', reason, local: [] }
}
