import type { Database } from '../platform/database/index.ts'
import { withRequestLock } from './with-request-lock.ts'
import { requestErrors } from './errors.ts'
import { getRequest } from './get-request.ts'
import type { MediaRequest } from './media-request.ts'
import { deletePendingRequest } from './queries.ts'

type RequestReference = { id: string; userId: string }

/**
 * Reads a user's own request.
 * @throws AppError `request_not_found`, for an id that is not a UUID without a query; `not_request_owner`
 */
export async function getOwnRequest({ db }: { db: Database }, { id, userId }: RequestReference): Promise<MediaRequest> {
  const request = await getRequest({ db }, id)
  if (request.userId !== userId) throw requestErrors.not_request_owner()
  return request
}

/**
 * Deletes a user's own pending request; waits for a concurrent decision.
 * @throws AppError `request_not_found`, `not_request_owner`, `request_not_pending`, `request_busy`
 */
export async function deleteOwnRequest(
  services: { db: Database; connectionUri: string },
  reference: RequestReference,
): Promise<void> {
  const { status } = await getOwnRequest(services, reference)
  if (status !== 'pending') throw requestErrors.request_not_pending()
  await withRequestLock(services, reference.id, async () => {
    // The statement checks the status again, because an administrator may have decided in the meantime.
    if (!(await deletePendingRequest(services.db, reference))) throw requestErrors.request_not_pending()
  })
}
