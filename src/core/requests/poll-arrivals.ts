import { startPeriodicTask, type PeriodicTask } from '../platform/concurrency/index.ts'
import { acquireSessionLock } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import { checkArrivals, type ArrivalDependencies } from './check-arrivals.ts'

type Dependencies = ArrivalDependencies & { connectionUri: string }

/** Held while asking, so that of several daemons on one database one does. */
const POLL_LOCK = 'phlix:arrivals'

/**
 * Asks every `acquisition.poll_seconds` what has arrived: the way to `available` where no webhook is set up or one got lost.
 * @returns how to stop; resolves when nothing is under way any more
 */
export function pollArrivals(services: Dependencies): PeriodicTask {
  const { options } = services.config
  if (options['acquisition.radarr.url'] === undefined && options['acquisition.sonarr.url'] === undefined) {
    return { stop: async () => {} }
  }
  return startPeriodicTask({
    intervalMilliseconds: options['acquisition.poll_seconds'] * 1000,
    work: (signal) => ask(services, signal),
    onError: (error) =>
      services.log.warning({ reason: describeError(error) }, 'looking for requests that have arrived failed'),
  })
}

async function ask(services: Dependencies, signal: AbortSignal): Promise<void> {
  const lock = await acquireSessionLock({ connectionUri: services.connectionUri, key: POLL_LOCK })
  if (lock === undefined) return
  try {
    await checkArrivals(services, signal)
  } finally {
    await lock.release()
  }
}
