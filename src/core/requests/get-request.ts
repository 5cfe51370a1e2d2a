import { z } from 'zod'
import type { Database } from '../platform/database/index.ts'
import { requestErrors } from './errors.ts'
import type { MediaRequest } from './media-request.ts'
import { selectRequest } from './queries.ts'

const Id = z.guid()

/** @throws AppError `request_not_found`. An id that is not a UUID is refused without a query. */
export async function getRequest({ db }: { db: Database }, id: string): Promise<MediaRequest> {
  const request = Id.safeParse(id).success ? await selectRequest(db, id) : undefined
  if (request === undefined) throw requestErrors.request_not_found()
  return request
}

/** @throws AppError `request_not_found`, `request_not_pending` */
export async function getPendingRequest(services: { db: Database }, id: string): Promise<MediaRequest> {
  const request = await getRequest(services, id)
  if (request.status !== 'pending') throw requestErrors.request_not_pending()
  return request
}
