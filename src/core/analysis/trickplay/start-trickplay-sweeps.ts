import { startPeriodicTask, type PeriodicTask } from '../../platform/concurrency/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { TrickplayStore } from './trickplay-store.ts'

/** A sweep reads the size of every file. */
const SWEEP_MILLISECONDS = 6 * 3600 * 1000

/** Sweeps the pictures of time lines now, which also removes what killed processes left behind, and then every six hours. */
export function startTrickplaySweeps({ log, trickplay }: { log: Logger; trickplay: TrickplayStore }): PeriodicTask {
  return startPeriodicTask({
    intervalMilliseconds: SWEEP_MILLISECONDS,
    startsAtOnce: true,
    work: async () => {
      const removed = await trickplay.sweep()
      if (removed.sets > 0) log.info(removed, 'removed old pictures of time lines')
    },
    onError: (error) => log.warning({ reason: describeError(error) }, 'removing old pictures of time lines failed'),
  })
}
