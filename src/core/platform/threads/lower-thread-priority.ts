import { constants } from 'node:os'
import { lowerPriority } from '../priorities/index.ts'
import { lowerV8WorkerPriority } from './lower-v8-worker-priority.ts'

/**
 * Lowers the priority of a thread that reads disks, and of the garbage collection beside it, below the priority of requests. Linux has a
 * priority per thread; on other systems the priority of the process would change, so that nothing is done.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  lowerPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
  lowerV8WorkerPriority()
}
