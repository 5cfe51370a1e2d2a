import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collector: NodeJS.GCFunction | undefined

/** Collects the young generation of the thread: some milliseconds. Buffers are freed with the objects that own them. */
export function collectYoungGeneration(): void {
  collector ??= exposeCollector()
  collector({ type: 'minor' })
}

/** Collects and compacts the whole heap of the thread: 100 ms and more. */
export function collectWholeHeap(): void {
  const collect = collector ?? exposeCollector()
  collect({ type: 'major', flavor: 'last-resort' })
}

/** Contexts that are created while the flag is set get the function (Node manual, v8.setFlagsFromString). */
function exposeCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  return collect
}
