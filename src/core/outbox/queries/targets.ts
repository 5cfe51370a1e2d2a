import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import type { TargetKind } from '../delivery.ts'

/** The fields of a `DeliveryTarget`, for the row of a query that joins its table as `t`. */
export const targetFields = {
  id: z.string(),
  name: z.string(),
  events: z.array(z.string()),
  isActive: z.boolean(),
  failureCount: z.number(),
  droppedCount: z.number(),
  lastTriggeredAt: z.date().nullable(),
  createdAt: z.date(),
}

export const targetColumns = sql.fragment`
  t.id, t.name, t.events, t.is_active, t.failure_count, t.dropped_count, t.last_triggered_at, t.created_at`

/** The common part of webhooks, channels and scrobblers. `userId`: the account whose events a scrobbler receives. */
export type TargetWrite = { kind: TargetKind; name: string; events: readonly string[]; userId?: string; now: Date }

/** @throws a violation of `delivery_targets_channel_name_key` when another channel has the name */
export async function insertTarget(connection: Connection, row: TargetWrite): Promise<string> {
  const now = sql.timestamp(row.now)
  return connection.oneFirst(sql.type(IdRow)`
    insert into delivery_targets (kind, name, events, user_id, created_at, updated_at)
    values (${row.kind}, ${row.name}, ${sql.array([...row.events], 'text')}, ${row.userId ?? null}, ${now}, ${now}) returning id`)
}

export type TargetChanges = { name?: string; events?: readonly string[]; isActive?: boolean }

/** Updates a target; undefined fields are unchanged. Returns whether it exists. */
export async function updateTarget(
  connection: Connection,
  { id, kind, name, events, isActive, now }: TargetChanges & { id: string; kind: TargetKind; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    update delivery_targets set name = coalesce(${name ?? null}, name),
      events = coalesce(${events === undefined ? null : sql.array([...events], 'text')}, events),
      is_active = coalesce(${isActive ?? null}, is_active), updated_at = ${sql.timestamp(now)}
    where id = ${id} and kind = ${kind}`)
  return rowCount > 0
}

/** Deletes a target with its deliveries; returns whether it existed. */
export async function deleteTarget(
  connection: Connection,
  { id, kind }: { id: string; kind: TargetKind },
): Promise<boolean> {
  const { rowCount } = await connection.query(
    sql.unsafe`delete from delivery_targets where id = ${id} and kind = ${kind}`,
  )
  return rowCount > 0
}
