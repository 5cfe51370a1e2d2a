import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import { EVENT_KINDS } from '../outbox-event.ts'
import { DELIVERY_STATUSES, type DeliveryRecord, type DeliveryStatus, type TargetKind } from '../delivery.ts'

const RecordRow = z.strictObject({
  id: z.string(),
  targetId: z.string(),
  targetName: z.string(),
  event: z.enum(EVENT_KINDS),
  status: z.enum(DELIVERY_STATUSES),
  occurredAt: z.date(),
  attempts: z.number(),
  attemptedAt: z.date().nullable(),
  nextAttemptAt: z.date().nullable(),
  statusCode: z.number().nullable(),
  responseBody: z.string().nullable(),
  errorMessage: z.string().nullable(),
})

const recordColumns = sql.fragment`
  d.id, d.target_id, t.name as target_name, d.event, d.status, d.occurred_at, d.attempts, d.attempted_at, d.next_attempt_at,
  d.status_code, d.response_body, d.error_message`

export type LogFilter = { kind: TargetKind; targetId?: string | undefined; status?: DeliveryStatus | undefined }

/** Newest first. */
export async function selectDeliveries(
  connection: Connection,
  filter: LogFilter & { limit: number; offset: number },
): Promise<readonly DeliveryRecord[]> {
  return connection.any(sql.type(RecordRow)`
    select ${recordColumns} from deliveries d join delivery_targets t on t.id = d.target_id
    where ${matchesFilter(filter)} order by d.position desc limit ${filter.limit} offset ${filter.offset}`)
}

export async function countDeliveries(connection: Connection, filter: LogFilter): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from deliveries d join delivery_targets t on t.id = d.target_id where ${matchesFilter(filter)}`)
}

export async function selectDeliveryRecord(
  connection: Connection,
  { id, kind }: { id: string; kind: TargetKind },
): Promise<DeliveryRecord | undefined> {
  const row = await connection.maybeOne(sql.type(RecordRow)`
    select ${recordColumns} from deliveries d join delivery_targets t on t.id = d.target_id
    where d.id = ${id} and t.kind = ${kind}`)
  return row ?? undefined
}

/** Deletes a log entry; returns whether it existed. */
export async function deleteDeliveryRecord(
  connection: Connection,
  { id, kind }: { id: string; kind: TargetKind },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from deliveries d using delivery_targets t where t.id = d.target_id and t.kind = ${kind} and d.id = ${id}`)
  return rowCount > 0
}

function matchesFilter({ kind, targetId, status }: LogFilter) {
  const conditions = [sql.fragment`t.kind = ${kind}`]
  if (targetId !== undefined) conditions.push(sql.fragment`d.target_id = ${targetId}`)
  if (status !== undefined) conditions.push(sql.fragment`d.status = ${status}`)
  return sql.join(conditions, sql.fragment` and `)
}
