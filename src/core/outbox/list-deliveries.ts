import { isRowId, type Connection } from '../platform/database/index.ts'
import { DELIVERY_STATUSES, type DeliveryRecord, type DeliveryStatus, type TargetKind } from './delivery.ts'
import { deliveryErrors } from './errors.ts'
import { countDeliveries, deleteDeliveryRecord, selectDeliveries } from './queries/delivery-log.ts'

export type DeliveryPage = { deliveries: readonly DeliveryRecord[]; total: number; page: number; perPage: number }

const DEFAULT_PER_PAGE = 50
const MAX_PER_PAGE = 100
/** Far beyond the size of the log; limits the offset to the range of the database type. */
const LAST_PAGE = 1_000_000

/**
 * Lists the deliveries to targets of one kind, newest first.
 * @param input.targetId only to this target; an unknown id returns an empty list
 * @param input.status `pending`, `success` or `failed`; undefined, empty or `all` for all
 * @param input.page from 1; `perPage` default 50, at most 100; both are clamped
 * @throws AppError `invalid_request` for another status
 */
export async function listDeliveries(
  { db }: { db: Connection },
  input: {
    kind: TargetKind
    targetId?: string | undefined
    status?: string | undefined
    page?: number | undefined
    perPage?: number | undefined
  },
): Promise<DeliveryPage> {
  const page = Math.min(Math.max(input.page ?? 1, 1), LAST_PAGE)
  const perPage = Math.min(Math.max(input.perPage ?? DEFAULT_PER_PAGE, 1), MAX_PER_PAGE)
  const status = readStatus(input.status)
  const targetId = input.targetId === '' ? undefined : input.targetId
  if (targetId !== undefined && !isRowId(targetId)) return { deliveries: [], total: 0, page, perPage }
  const filter = { kind: input.kind, targetId, status }
  const deliveries = await selectDeliveries(db, { ...filter, limit: perPage, offset: (page - 1) * perPage })
  return { deliveries, total: await countDeliveries(db, filter), page, perPage }
}

function readStatus(value: string | undefined): DeliveryStatus | undefined {
  if (value === undefined || value === '' || value === 'all') return undefined
  const status = DELIVERY_STATUSES.find((known) => known === value)
  if (status !== undefined) return status
  throw deliveryErrors.invalid_request({
    message: `status must be one of ${DELIVERY_STATUSES.join(', ')}, all`,
    details: { field: 'status' },
  })
}

/**
 * Deletes a delivery from the log; a pending delivery will not be sent.
 * @throws AppError `delivery_not_found`
 */
export async function deleteDelivery(
  { db }: { db: Connection },
  { id, kind }: { id: string; kind: TargetKind },
): Promise<void> {
  if (!isRowId(id) || !(await deleteDeliveryRecord(db, { id, kind }))) throw deliveryErrors.delivery_not_found()
}
