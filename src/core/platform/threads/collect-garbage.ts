import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects garbage of the thread at once. */
export type GarbageCollector = {
  /** Collects the young generation: some milliseconds. Buffers are freed with the objects that own them. */
  collectYoungGeneration: () => void
  /** Collects and compacts the whole heap: 100 ms and more. */
  collectWholeHeap: () => void
}

/** Creates access to the collector of V8; its first use takes some milliseconds. */
export function createGarbageCollector(): GarbageCollector {
  let collector: NodeJS.GCFunction | undefined
  const collect = (options: NodeJS.GCOptions): void => {
    collector ??= exposeCollector()
    collector(options)
  }
  return {
    collectYoungGeneration: () => collect({ type: 'minor' }),
    collectWholeHeap: () => collect({ type: 'major', flavor: 'last-resort' }),
  }
}

/** Contexts that are created while the flag is set get the function (Node manual, v8.setFlagsFromString). */
function exposeCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  return collect
}
