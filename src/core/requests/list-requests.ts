import { checkPage, UNPAGED_LIST_BOUNDS, type Page, type PageRequest } from '../catalogue/index.ts'
import { batchesByLength, type Database } from '../platform/database/index.ts'
import { requestErrors } from './errors.ts'
import { REQUEST_STATUSES, type MediaRequest, type RequestStatus } from './media-request.ts'
import { selectRequestIds, selectRequestsById } from './queries.ts'

type Filter = {
  /** Only requests of this account. */
  userId?: string
  /** One of the four statuses, or `all`. */
  status: string
}

/**
 * Reads requests, newest first, in batches of at most 50 and, unless a single one is longer, 32 KiB.
 * @param page at most 1,000 requests, because clients request the whole list
 * @throws AppError `invalid_request` for another status
 */
export function readRequestsInBatches(
  services: { db: Database },
  filter: Filter,
  page: PageRequest,
): AsyncGenerator<readonly MediaRequest[]> {
  return readBatches(services, filter, checkPage(page, UNPAGED_LIST_BOUNDS))
}

/**
 * Lists all requests, newest first.
 * @throws AppError `invalid_request` for another status
 */
export async function listRequests(services: { db: Database }, filter: Filter): Promise<readonly MediaRequest[]> {
  const all: MediaRequest[] = []
  for await (const batch of readBatches(services, filter, { limit: null, offset: 0 })) all.push(...batch)
  return all
}

async function* readBatches(
  { db }: { db: Database },
  { userId, status }: Filter,
  page: Page | { limit: null; offset: 0 },
): AsyncGenerator<readonly MediaRequest[]> {
  const rows = await selectRequestIds(db, { userId, status: readStatus(status), ...page })
  for (const ids of batchesByLength(rows)) yield selectRequestsById(db, ids)
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
