import { startPeriodicTask, type PeriodicTask } from '../platform/concurrency/index.ts'
import { acquireSessionLock } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import { checkImportedRequests, type ImportCheckDependencies } from './check-imported-requests.ts'

type Dependencies = ImportCheckDependencies & { connectionUri: string }

/** Key of a lock that is held while polling, so that only one of several daemons on a database polls. */
const POLL_LOCK = 'phlix:arrivals'

/**
 * Checks for imported titles every `acquisition.poll_seconds`, for installations without a webhook and for webhook messages that were not
 * received.
 * @returns a function that stops the polling; resolves when no check is running
 */
export function pollImportedRequests(services: Dependencies): Pick<PeriodicTask, 'stop'> {
  const { options } = services.config
  if (options['acquisition.radarr.url'] === undefined && options['acquisition.sonarr.url'] === undefined) {
    return { stop: async () => {} }
  }
  return startPeriodicTask({
    intervalMilliseconds: options['acquisition.poll_seconds'] * 1000,
    work: (signal) => ask(services, signal),
    onError: (error) => services.log.warning({ reason: describeError(error) }, 'checking for imported titles failed'),
  })
}

async function ask(services: Dependencies, signal: AbortSignal): Promise<void> {
  const lock = await acquireSessionLock({ connectionUri: services.connectionUri, key: POLL_LOCK })
  if (lock === undefined) return
  try {
    await checkImportedRequests(services, signal)
  } finally {
    await lock.release()
  }
}
