import type { Database } from '../platform/database/index.ts'
import { withRequestLock } from './with-request-lock.ts'
import { requestErrors } from './errors.ts'
import { getRequest } from './get-request.ts'
import type { MediaRequest } from './media-request.ts'
import { deletePendingRequest } from './queries.ts'

type Which = { id: string; userId: string }

/**
 * A person's own request.
 * @throws AppError `request_not_found`, for an id that is no UUID without a query; `not_request_owner`
 */
export async function getOwnRequest({ db }: { db: Database }, { id, userId }: Which): Promise<MediaRequest> {
  const request = await getRequest({ db }, id)
  if (request.userId !== userId) throw requestErrors.not_request_owner()
  return request
}

/**
 * Takes a person's own request back while nobody has decided it; waits for somebody who is just deciding it.
 * @throws AppError `request_not_found`, `not_request_owner`, `request_not_pending`, `request_busy`
 */
export async function deleteOwnRequest(services: { db: Database; connectionUri: string }, which: Which): Promise<void> {
  const { status } = await getOwnRequest(services, which)
  if (status !== 'pending') throw requestErrors.request_not_pending()
  await withRequestLock(services, which.id, async () => {
    // The condition is asked again in the statement: an administrator may have decided meanwhile.
    if (!(await deletePendingRequest(services.db, which))) throw requestErrors.request_not_pending()
  })
}
