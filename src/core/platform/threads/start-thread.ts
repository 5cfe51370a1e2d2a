import { extname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

export type ThreadOrder = {
  /** The file to run beside the one that asks, without extension: sources and compiled code have different ones. */
  file: string
  /** `import.meta` of the one that asks. */
  from: Pick<ImportMeta, 'url' | 'filename'>
  /** What the thread finds as `workerData`. */
  data?: unknown
  /** Its young generation: what makes much garbage and keeps little does well with few MiB. */
  youngMebibytes: number
  /** Its old generation; a thread that wants more is ended. Without it V8's own limit holds. */
  heapMebibytes?: number
}

/**
 * Starts a thread with memory limits of its own. The size that the command line gives to the main thread's young generation would
 * win over them (V8, Heap::ConfigureHeap), so it is taken back first; the main thread was made long ago and keeps it.
 */
export function startThread({ file, from, data, youngMebibytes, heapMebibytes }: ThreadOrder): Worker {
  setFlagsFromString('--max-semi-space-size=0')
  return new Worker(new URL(`./${file}${extname(from.filename)}`, from.url), {
    workerData: data,
    resourceLimits: {
      maxYoungGenerationSizeMb: youngMebibytes,
      ...(heapMebibytes === undefined ? {} : { maxOldGenerationSizeMb: heapMebibytes }),
    },
  })
}
