import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { withTimeLimit } from '../../platform/concurrency/index.ts'
import { startThread } from '../../platform/threads/index.ts'
import type { ReadKind, FileReadResult, ReadRequest } from './read-request.ts'
import type { ReaderData, ReaderTask } from './reader-worker.ts'

/** A pool of threads that read files. If a file crashes or blocks its thread, only that file fails and every call gets a result. */
export type ReaderPool = {
  /**
   * Aborting the signal rejects immediately, even if the disk hangs.
   * @throws the signal's reason
   */
  read(request: ReadRequest, signal?: AbortSignal): Promise<FileReadResult>
  /** Starts the threads and loads what files of this kind need, while the caller still looks for the files. */
  prepare(as: ReadKind): void
  /** Ends the threads; pending files are reported as unreadable. Waits at most a second for threads that hang. */
  close(): Promise<void>
}

export type ReaderPoolOptions = {
  threads?: number
  /** Time limit per file, for damaged files and hanging disks. */
  fileLimitMilliseconds?: number
  /** Memory limit per thread besides its heap: a document of a few megabytes can expand to gigabytes. */
  bufferLimitBytes?: number
}

/**
 * Number of files in a message to a reader. Each reader has two pending messages, so that it continues while this thread processes results.
 */
const FILES_PER_MESSAGE = 32
const MESSAGES_PER_READER = 2

const FILE_LIMIT_MILLISECONDS = 30_000
const WATCH_MILLISECONDS = 1000
const BUFFER_LIMIT_BYTES = 384 * 1024 * 1024

/** Heap limit of a thread; a parser that exceeds it is terminated with its thread. */
const HEAP_MEBIBYTES = 256

/** Parsers create much garbage and retain little. */
const YOUNG_MEBIBYTES = 6

/** Threads are replaced after this many files, to free memory that parsers leak. */
const FILES_PER_THREAD = 20_000

/** Maximum time that closing waits; a thread that is blocked by a dead mount ends only when the mount responds. */
const CLOSE_TIMEOUT_MILLISECONDS = 1000

/** `isAbandonedTemporary`: the caller no longer waits. */
type Task = { request: ReadRequest; resolve: (reading: FileReadResult) => void; isAbandoned: boolean }

type Reader = {
  worker: Worker
  /** Contains the number of the thread's current file, counted from 0 over its life; -1 during start-up. */
  position: Int32Array
  /** Pending tasks of the thread, in order. */
  batch: Task[]
  messages: number
  /** Number of the first file in `batch`. */
  filesRead: number
  /** The observed file, and when it was first seen in progress. */
  watched: { position: number; since: number }
}

/** More than four threads read faster than one database writes. */
const MAX_THREADS = 4

export function createReaderPool({
  threads = Math.min(MAX_THREADS, availableParallelism()),
  fileLimitMilliseconds = FILE_LIMIT_MILLISECONDS,
  bufferLimitBytes = BUFFER_LIMIT_BYTES,
}: ReaderPoolOptions = {}): ReaderPool {
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
      post(reader, { kind: 'read', requests: tasks.map(({ request }) => request) })
    }
  }

  /** Returns an idle reader. If there is none, starts a reader; at the limit, returns a reader with room for another message. */
  const freeReader = (): Reader | undefined => {
    const open = [...readers].filter(({ filesRead, batch }) => filesRead + batch.length < FILES_PER_THREAD)
    const idle = open.find(({ messages }) => messages === 0)
    if (idle !== undefined || readers.size < threads) return idle ?? start()
    return open.find(({ messages }) => messages < MESSAGES_PER_READER)
  }

  const post = ({ worker }: Reader, task: ReaderTask): void => worker.postMessage(task)

  const start = (): Reader => {
    const order: ReaderData = {
      position: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
      // The thread that processes the results needs a processor as well.
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
    worker.on('message', (readings: FileReadResult[]) => settle(reader, readings))
    worker.once('error', (error) => failReader(reader, `the reader failed: ${error.message.slice(0, 200)}`))
    worker.once('exit', () => failReader(reader, 'the reader ended'))
    return reader
  }

  const settle = (reader: Reader, readings: readonly FileReadResult[]): void => {
    for (const [index, { resolve }] of reader.batch.splice(0, readings.length).entries())
      resolve(readings[index] ?? unreadable('the reader gave no answer'))
    reader.messages -= 1
    reader.filesRead += readings.length
    if (reader.batch.length === 0) reader.worker.unref()
    if (reader.batch.length === 0 && reader.filesRead >= FILES_PER_THREAD) {
      readers.delete(reader)
      void reader.worker.terminate()
    }
    stopWatchWhenIdle()
    dispatch()
  }

  /** Fails the thread's current file. The following files, and files whose results have not arrived, are given to another thread. */
  const failReader = (reader: Reader, reason: string): void => {
    reader.batch[placeOf(reader)]?.resolve(unreadable(reason))
    endReader(reader, placeOf(reader))
  }

  const endReader = (reader: Reader, blamed?: number): void => {
    if (!readers.delete(reader)) return
    waiting.unshift(...reader.batch.splice(0).filter(({ isAbandoned }, index) => index !== blamed && !isAbandoned))
    void reader.worker.terminate()
    stopWatchWhenIdle()
    if (isClosed) failWaiting()
    else dispatch()
  }

  const abandonTask = (task: Task): void => {
    task.isAbandoned = true
    const position = waiting.indexOf(task)
    if (position >= 0) waiting.splice(position, 1)
    // Deferred, because a caller usually abandons many files at once.
    else abandoned ??= setImmediate(endAbandonedReaders)
  }

  /** Ends threads whose current file is abandoned, because they may hang. */
  const endAbandonedReaders = (): void => {
    abandoned = undefined
    for (const reader of readers) if (reader.batch[placeOf(reader)]?.isAbandoned === true) endReader(reader)
  }

  const endStuckReaders = (): void => {
    const now = performance.now()
    for (const reader of readers) {
      const position = Atomics.load(reader.position, 0)
      // Idle or not started: no file has exceeded the limit.
      if (position < reader.filesRead || reader.batch.length === 0) continue
      if (position !== reader.watched.position) reader.watched = { position, since: now }
      else if (now - reader.watched.since > fileLimitMilliseconds) {
        failReader(reader, `not read within ${fileLimitMilliseconds / 1000} s`)
      } else void endIfTooLarge(reader, position)
    }
  }

  /**
   * Ends a thread that exceeds the memory limit; the heap limit does not include buffers. A thread that has ended meanwhile is ignored.
   */
  const endIfTooLarge = async (reader: Reader, position: number): Promise<void> => {
    const heap = await reader.worker.getHeapStatistics().catch(() => undefined)
    const isSame = reader.batch.length > 0 && Atomics.load(reader.position, 0) === position
    if (heap !== undefined && heap.external_memory > bufferLimitBytes && isSame) {
      failReader(reader, 'it takes too much memory to read')
    }
  }

  const stopWatchWhenIdle = (): void => {
    if ([...readers].some(({ batch }) => batch.length > 0)) return
    clearInterval(watch)
    watch = undefined
  }

  const failWaiting = (): void => {
    for (const { resolve } of waiting.splice(0)) resolve(unreadable('reading was ended'))
  }

  const enqueue = (request: ReadRequest, signal: AbortSignal | undefined): Promise<FileReadResult> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        reject(signal?.reason)
        abandonTask(task)
      }
      const answer = (reading: FileReadResult): void => {
        signal?.removeEventListener('abort', onAbort)
        resolve(reading)
      }
      const task: Task = { request, resolve: answer, isAbandoned: false }
      signal?.addEventListener('abort', onAbort, { once: true })
      waiting.push(task)
      if (isClosed) failWaiting()
      // Dispatched once per event loop iteration, so that simultaneous requests share messages.
      else if (waiting.length === 1) setImmediate(dispatch)
    })

  return {
    async read(request, signal) {
      signal?.throwIfAborted()
      return enqueue(request, signal)
    },
    prepare(as) {
      while (readers.size < threads && !isClosed) {
        const reader = start()
        // A thread without files does not keep the process alive.
        reader.worker.unref()
        post(reader, { kind: 'prepare', as })
      }
    },
    async close() {
      isClosed = true
      clearInterval(watch)
      failWaiting()
      const open = [...readers]
      for (const reader of open) failReader(reader, 'reading was ended')
      const ended = Promise.all(open.map(({ worker }) => worker.terminate()))
      await withTimeLimit(ended, { milliseconds: CLOSE_TIMEOUT_MILLISECONDS, onTimeout: () => [] })
    },
  }
}

/** Returns the position of the thread's current file in its batch; the first during start-up. */
function placeOf({ position, filesRead }: Reader): number {
  return Math.max(Atomics.load(position, 0) - filesRead, 0)
}

function unreadable(reason: string): FileReadResult {
  return { kind: 'unreadable', code: 'reader_failed', reason, local: [] }
}
