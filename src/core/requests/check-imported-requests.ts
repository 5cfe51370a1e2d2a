import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { ACQUIRER_OF_TYPE, openAcquirer } from './acquisition/open-acquirer.ts'
import type { MediaRequest } from './media-request.ts'
import { selectApprovedRequests, updateToAvailable } from './queries.ts'
import { notifyRequester } from './notify-requester.ts'

export type ImportCheckDependencies = {
  config: Config
  db: Database
  outbound: Outbound
  clock: Clock
  log: Logger
  events: EventBus
}

/**
 * Asks Radarr and Sonarr which approved requests are imported. These become available, and their requesters are notified. After a failure
 * no further requests are sent to the same program in this round.
 * @returns the number of requests that became available
 */
export async function checkImportedRequests(services: ImportCheckDependencies, signal: AbortSignal): Promise<number> {
  return checkImportsOfRequests(services, await selectApprovedRequests(services.db), signal)
}

/** Checks some approved requests. */
export async function checkImportsOfRequests(
  services: ImportCheckDependencies,
  requests: readonly MediaRequest[],
  signal: AbortSignal,
): Promise<number> {
  const byType = Object.groupBy(requests, ({ type }) => type)
  let count = 0
  for (const type of ['movie', 'series'] as const) {
    count += await checkType(services, { type, requests: byType[type] ?? [] }, signal)
  }
  return count
}

async function checkType(
  services: ImportCheckDependencies,
  { type, requests }: { type: MediaRequest['type']; requests: readonly MediaRequest[] },
  signal: AbortSignal,
): Promise<number> {
  const acquirer = openAcquirer(services, type)
  if (acquirer === undefined) return 0
  const timeoutMilliseconds = services.config.options['acquisition.timeout_seconds'] * 1000
  let count = 0
  for (const group of Object.values(Object.groupBy(requests, nameOfTitle))) {
    const [request] = group ?? []
    if (request === undefined || signal.aborted) continue
    try {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)])
      if (await acquirer.isImported(request, bounded)) count += await markRequestsAvailable(services, group ?? [])
    } catch (error) {
      const reason = describeError(error)
      if (!signal.aborted)
        services.log.warning({ name: ACQUIRER_OF_TYPE[type], reason }, 'checking for imported titles failed')
      return count
    }
  }
  return count
}

function nameOfTitle({ catalogId, seasonNumber, episodeNumber }: MediaRequest): string {
  return `${catalogId} ${seasonNumber} ${episodeNumber}`
}

/**
 * Marks requests as available and notifies their requesters.
 * @returns the number of requests that were not available before
 */
export async function markRequestsAvailable(
  services: Pick<ImportCheckDependencies, 'db' | 'clock' | 'log' | 'events'>,
  requests: readonly MediaRequest[],
): Promise<number> {
  if (requests.length === 0) return 0
  const ids = requests.map(({ id }) => id)
  const available = await updateToAvailable(services.db, { ids, now: services.clock.now() })
  for (const request of available) notifyRequester(services, request)
  return available.length
}
