import { checkPage, WHOLE_LIST, type PageRequest } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import { requestErrors } from './errors.ts'
import { REQUEST_STATUSES, type MediaRequest, type RequestStatus } from './media-request.ts'
import { selectRequests } from './queries.ts'

/**
 * Lists requests, newest first.
 * @param filter.userId only requests of this account
 * @param filter.status one of the four statuses, or `all`
 * @param page at most 1,000 entries, because clients request the whole list; all entries if it is absent
 * @throws AppError `invalid_request` for another status
 */
export async function listRequests(
  { db }: { db: Database },
  filter: { userId?: string; status: string },
  page?: PageRequest,
): Promise<readonly MediaRequest[]> {
  const part = page === undefined ? { limit: null, offset: 0 } : checkPage(page, WHOLE_LIST)
  return selectRequests(db, { userId: filter.userId, status: readStatus(filter.status), ...part })
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
