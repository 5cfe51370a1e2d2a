import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { ACQUIRER_OF_TYPE, openAcquirer } from './acquisition/open-acquirer.ts'
import { withRequestLock } from './with-request-lock.ts'
import { requestErrors } from './errors.ts'
import { getPendingRequest } from './get-request.ts'
import type { MediaRequest } from './media-request.ts'
import { approvePendingRequest } from './queries.ts'

type Dependencies = {
  config: Config
  db: Database
  connectionUri: string
  outbound: Outbound
  clock: Clock
  log: Logger
}

/**
 * Requests the download of a title from Radarr or Sonarr and marks the request as approved. A title that they already have counts as
 * accepted, so that an approval that was interrupted between the two steps can be repeated.
 * @throws AppError `request_not_found`, `request_not_pending`, `request_busy`; `approve_failed` if the title was not accepted
 */
export async function approveRequest(services: Dependencies, { id }: { id: string }): Promise<MediaRequest> {
  await getPendingRequest(services, id)
  return withRequestLock(services, id, async () => {
    const request = await getPendingRequest(services, id)
    const { tvdbId } = await askAcquirer(services, request)
    const approved = await approvePendingRequest(services.db, { id, tvdbId, now: services.clock.now() })
    if (approved === undefined) throw requestErrors.request_not_pending()
    services.log.notice({ requestId: id, userId: approved.userId }, 'a media request was approved')
    return approved
  })
}

async function askAcquirer(services: Dependencies, request: MediaRequest): Promise<{ tvdbId: number | null }> {
  const name = ACQUIRER_OF_TYPE[request.type]
  const acquirer = openAcquirer(services, request.type)
  if (acquirer === undefined) {
    const hint = `set acquisition.${name}.url and acquisition.${name}.api_key`
    throw requestErrors.approve_failed({ message: `No ${name} is configured for requests of this type.`, hint })
  }
  const timeoutSeconds = services.config.options['acquisition.timeout_seconds']
  const deadline = AbortSignal.timeout(timeoutSeconds * 1000)
  try {
    return await acquirer.add(request, deadline)
  } catch (error) {
    const message = deadline.aborted
      ? `${name} did not accept the request within ${timeoutSeconds} s.`
      : describeError(error)
    throw requestErrors.approve_failed({ message, cause: error })
  }
}
