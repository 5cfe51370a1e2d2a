import { Semaphore } from '../../platform/concurrency/index.ts'
import { pluginErrors } from '../errors.ts'

const MAX_WAITING = 2
const MAX_WAIT_MILLISECONDS = 30_000

/**
 * Limits a process to one archive that is downloaded and unpacked at a time: each needs up to 64 MiB of memory and 200 MiB of disk space.
 * Two more wait for at most 30 s; others are refused with `plugin_busy`.
 */
export function createInstallationPermits(): Semaphore {
  return new Semaphore({
    permits: 1,
    maxWaiting: MAX_WAITING,
    maxWaitMilliseconds: MAX_WAIT_MILLISECONDS,
    refusal: () => pluginErrors.plugin_busy(),
  })
}
