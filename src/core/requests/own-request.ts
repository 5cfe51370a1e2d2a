import { z } from 'zod'
import type { Database } from '../platform/database/index.ts'
import { requestErrors } from './errors.ts'
import type { MediaRequest } from './media-request.ts'
import { deletePendingRequest, selectRequest } from './queries.ts'

const Id = z.guid()

type Which = { id: string; userId: string }

/**
 * A person's own request.
 * @throws AppError `request_not_found`, for an id that is no UUID without a query; `not_request_owner`
 */
export async function getOwnRequest({ db }: { db: Database }, { id, userId }: Which): Promise<MediaRequest> {
  const request = Id.safeParse(id).success ? await selectRequest(db, id) : undefined
  if (request === undefined) throw requestErrors.request_not_found()
  if (request.userId !== userId) throw requestErrors.not_request_owner()
  return request
}

/**
 * Takes a person's own request back while nobody has decided it.
 * @throws AppError `request_not_found`, `not_request_owner`, `request_not_pending`
 */
export async function deleteOwnRequest(services: { db: Database }, which: Which): Promise<void> {
  await getOwnRequest(services, which)
  // The condition is asked again in the statement: an administrator may have decided meanwhile.
  if (!(await deletePendingRequest(services.db, which))) throw requestErrors.request_not_pending()
}
