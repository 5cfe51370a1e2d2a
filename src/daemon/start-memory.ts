import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { limitHeapGrowth } from '../core/platform/threads/index.ts'
import { prepareToRunTools } from '../core/platform/spawn/index.ts'

/** By then the first requests of clients that waited for the daemon are answered. */
const DELAY_MILLISECONDS = 1000

/**
 * Loads, a second from now, what running tools needs, and gives back what starting has used and nothing will use again: half-filled
 * pages, and the young generation at its full size. V8 does so by itself only when memory runs short. Takes 100 ms once; the daemon then
 * rests at some 40 MB less, and its heap grows by half before it is cleaned (docs/decisions).
 */
export function releaseStartMemory(): void {
  setTimeout(() => void prepareToRunTools().finally(collectAll), DELAY_MILLISECONDS).unref()
}

function collectAll(): void {
  // The function is handed out to contexts made while the flag stands (Node manual, v8.setFlagsFromString).
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  // V8 sets the size at which it collects again when it has collected.
  limitHeapGrowth()
  collect({ type: 'major', flavor: 'last-resort' })
}
