import { extname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

export type ThreadOptions = {
  /** Name of the module beside the caller, without extension, which differs between sources and compiled code. */
  file: string
  /** `import.meta` of the caller. */
  from: Pick<ImportMeta, 'url' | 'filename'>
  /** Passed to the thread as `workerData`. */
  data?: unknown
  /** Limit of the young generation: a few MiB are enough for work that allocates many short-lived objects. */
  youngMebibytes: number
  /** Limit of the old generation; a thread that exceeds it is ended. Default: V8's own limit. */
  heapMebibytes?: number
}

/**
 * Starts a thread with its own memory limits. The size that the command line sets for the main thread's young generation would take
 * precedence over them (V8, Heap::ConfigureHeap), so it is reset first; the existing main thread keeps it.
 */
export function startThread({ file, from, data, youngMebibytes, heapMebibytes }: ThreadOptions): Worker {
  setFlagsFromString('--max-semi-space-size=0')
  return new Worker(new URL(`./${file}${extname(from.filename)}`, from.url), {
    workerData: data,
    resourceLimits: {
      maxYoungGenerationSizeMb: youngMebibytes,
      ...(heapMebibytes === undefined ? {} : { maxOldGenerationSizeMb: heapMebibytes }),
    },
  })
}
