import { sql } from 'slonik'
import { z } from 'zod'
import { targetColumns, targetFields } from '../outbox/index.ts'
import { CountRow, type Connection } from '../platform/database/index.ts'
import type { Webhook } from './webhook.ts'

const WebhookRow = z.strictObject({ ...targetFields, url: z.string(), updatedAt: z.date() })

const AddressRow = z.strictObject({ url: z.string(), secret: z.string() })

const webhookColumns = sql.fragment`${targetColumns}, w.url, t.updated_at`

/** Oldest first. */
export async function selectWebhooks(connection: Connection): Promise<readonly Webhook[]> {
  return connection.any(sql.type(WebhookRow)`
    select ${webhookColumns} from delivery_targets t join webhooks w on w.id = t.id order by t.created_at, t.id`)
}

export async function countWebhooks(connection: Connection): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`select count(*) as count from webhooks`)
}

export async function selectWebhook(connection: Connection, id: string): Promise<Webhook | undefined> {
  const row = await connection.maybeOne(sql.type(WebhookRow)`
    select ${webhookColumns} from delivery_targets t join webhooks w on w.id = t.id where t.id = ${id}`)
  return row ?? undefined
}

/** The address and signing secret of a webhook. */
export async function selectWebhookAddress(
  connection: Connection,
  id: string,
): Promise<z.infer<typeof AddressRow> | undefined> {
  const row = await connection.maybeOne(sql.type(AddressRow)`select url, secret from webhooks where id = ${id}`)
  return row ?? undefined
}

export async function insertWebhook(
  connection: Connection,
  { id, url, secret }: { id: string; url: string; secret: string },
): Promise<void> {
  await connection.query(sql.unsafe`insert into webhooks (id, url, secret) values (${id}, ${url}, ${secret})`)
}

/** Undefined fields are unchanged. */
export async function updateWebhookAddress(
  connection: Connection,
  { id, url, secret }: { id: string; url: string | undefined; secret: string | undefined },
): Promise<void> {
  await connection.query(sql.unsafe`
    update webhooks set url = coalesce(${url ?? null}, url), secret = coalesce(${secret ?? null}, secret) where id = ${id}`)
}
