import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { HookEventName } from '../manifest/hook-events.ts'
import type { HookEvent, HookPayload } from './hook-event.ts'

export type StoredEvent = HookEvent & { id: string; attempts: number }

const EventRow = z.strictObject({
  id: z.string(),
  name: z.custom<HookEventName>((value) => typeof value === 'string'),
  payload: z.custom<HookPayload>((value) => typeof value === 'object' && value !== null),
  occurredAt: z.date(),
  attempts: z.number(),
})

/** Stores an event for each of the plugins. */
export async function insertEvents(
  connection: Connection,
  { name, payload, occurredAt }: HookEvent,
  pluginNames: readonly string[],
): Promise<void> {
  const at = sql.timestamp(occurredAt)
  await connection.query(sql.unsafe`
    insert into plugin_events (plugin_name, event, payload, occurred_at, next_attempt_at)
    select p.name, ${name}, ${JSON.stringify(payload)}::jsonb, ${at}, ${at}
    from plugins p where p.name = any(${sql.array([...pluginNames], 'text')})
    for key share of p skip locked`)
}

/** The oldest event of a plugin that is due; undefined when there is none. */
export async function selectDueEvent(
  connection: Connection,
  { pluginName, now }: { pluginName: string; now: Date },
): Promise<StoredEvent | undefined> {
  const row = await connection.maybeOne(sql.type(EventRow)`
    select id, event as name, payload, occurred_at, attempts from plugin_events
    where plugin_name = ${pluginName} and next_attempt_at <= ${sql.timestamp(now)}
    order by occurred_at, id limit 1`)
  return row ?? undefined
}

export async function deleteEvent(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`delete from plugin_events where id = ${id}`)
}

export async function postponeEvent(connection: Connection, { id, until }: { id: string; until: Date }): Promise<void> {
  await connection.query(sql.unsafe`
    update plugin_events set attempts = attempts + 1, next_attempt_at = ${sql.timestamp(until)} where id = ${id}`)
}

/** @returns the number of events that were not delivered in time */
export async function deleteExpiredEvents(connection: Connection, before: Date): Promise<number> {
  const { rowCount } = await connection.query(
    sql.unsafe`delete from plugin_events where occurred_at < ${sql.timestamp(before)}`,
  )
  return rowCount
}

const ItemRow = z.strictObject({
  isNew: z.boolean(),
  mediaItemId: z.string(),
  libraryId: z.string(),
  path: z.string().nullable(),
  type: z.string(),
})

export type ChangedItem = Omit<z.infer<typeof ItemRow>, 'isNew'>

/** The items of files in a library that a job has added or changed, the oldest change first. */
export async function selectChangedItems(
  connection: Connection,
  { jobId, limit }: { jobId: string; limit: number },
): Promise<{ added: ChangedItem[]; updated: ChangedItem[] }> {
  const rows = await connection.any(sql.type(ItemRow)`
    select i.added_at >= j.started_at as is_new, i.id as media_item_id, i.library_id, i.path, i.type
    from scan_jobs j join media_items i on i.library_id = j.library_id
    where j.id = ${jobId} and i.updated_at >= j.started_at and i.role is null
      and (i.path is not null or i.type = 'audiobook')
    order by i.updated_at, i.id limit ${limit}`)
  const itemsOf = (isWanted: boolean): ChangedItem[] =>
    rows
      .filter(({ isNew }) => isNew === isWanted)
      .map(({ mediaItemId, libraryId, path, type }) => ({ mediaItemId, libraryId, path, type }))
  return { added: itemsOf(true), updated: itemsOf(false) }
}
