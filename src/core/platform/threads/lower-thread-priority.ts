import { constants } from 'node:os'
import { lowerPriority } from '../priorities/index.ts'
import { lowerV8Workers } from './lower-v8-workers.ts'

/**
 * Called in a thread that reads disks: whoever waits for an answer of the server goes first, also before what cleans up beside this
 * thread. Linux has a priority for each thread; elsewhere it would be that of the process, which stays as it is.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  lowerPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
  lowerV8Workers()
}
