import type { Database } from '../platform/database/index.ts'
import { requestErrors } from './errors.ts'
import { REQUEST_STATUSES, type MediaRequest, type RequestStatus } from './media-request.ts'
import { selectRequests } from './queries.ts'

/**
 * Requests, newest first.
 * @param filter.userId only those of one person
 * @param filter.status one of the four, or `all`
 * @throws AppError `invalid_request` for another status
 */
export async function listRequests(
  { db }: { db: Database },
  filter: { userId?: string; status: string },
): Promise<readonly MediaRequest[]> {
  return selectRequests(db, { userId: filter.userId, status: readStatus(filter.status) })
}

function readStatus(value: string): RequestStatus | undefined {
  if (value === 'all') return undefined
  const status = REQUEST_STATUSES.find((known) => known === value)
  if (status !== undefined) return status
  throw requestErrors.invalid_request({
    message: `status must be one of ${REQUEST_STATUSES.join(', ')}, all`,
    details: { field: 'status' },
  })
}
