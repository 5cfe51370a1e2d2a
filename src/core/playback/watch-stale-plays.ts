import { startPeriodicTask, type PeriodicTask } from '../platform/concurrency/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { PlayDependencies } from './publish-after-commit.ts'
import { endStalePlays } from './plays.ts'

type Dependencies = PlayDependencies & { log: Logger }

const CHECK_INTERVAL_MILLISECONDS = 30_000

/**
 * Checks every 30 s for players that stopped reporting, and ends their plays so that webhooks get the event. Several daemons may run it
 * concurrently.
 * @returns a function that stops the check and resolves when no work is running
 */
export function watchStalePlays(services: Dependencies): PeriodicTask {
  return startPeriodicTask({
    intervalMilliseconds: CHECK_INTERVAL_MILLISECONDS,
    work: async () => void (await endStalePlays(services)),
    onError: (error) => services.log.warning({ reason: describeError(error) }, 'ending stale plays failed'),
  })
}
