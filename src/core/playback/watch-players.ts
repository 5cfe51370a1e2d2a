import { startPeriodicTask, type PeriodicTask } from '../platform/concurrency/index.ts'
import type { Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { endSilentPlays } from './plays.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger }

const LOOK_MILLISECONDS = 30_000

/**
 * Looks every 30 s for players that have gone away without a word, so that webhooks hear of the end of what they played. Several daemons
 * may do so at once.
 * @returns how to stop; resolves when nothing is under way any more
 */
export function watchPlayers(services: Dependencies): PeriodicTask {
  return startPeriodicTask({
    intervalMilliseconds: LOOK_MILLISECONDS,
    work: async () => void (await endSilentPlays(services)),
    onError: (error) =>
      services.log.warning({ reason: describeError(error) }, 'looking for players that went away failed'),
  })
}
