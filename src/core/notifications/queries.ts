import { sql } from 'slonik'
import { z } from 'zod'
import { targetColumns, targetFields } from '../outbox/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { NotificationChannel } from './channel.ts'
import { SERVICE_NAMES, type ChannelSettings, type ServiceName } from './services/index.ts'

const Settings = z.record(z.string(), z.string())

const ChannelRow = z.strictObject({ ...targetFields, service: z.enum(SERVICE_NAMES), settings: Settings })

const channelColumns = sql.fragment`${targetColumns}, c.service, c.settings`

/** Sorted by name; settings include secrets. */
export async function selectChannels(connection: Connection): Promise<readonly NotificationChannel[]> {
  return connection.any(sql.type(ChannelRow)`
    select ${channelColumns} from delivery_targets t join notification_channels c on c.id = t.id order by lower(t.name), t.id`)
}

/** Finds a channel by id or, case-insensitive, by name. Its settings include secrets. */
export async function selectChannel(
  connection: Connection,
  nameOrId: string,
): Promise<NotificationChannel | undefined> {
  const row = await connection.maybeOne(sql.type(ChannelRow)`
    select ${channelColumns} from delivery_targets t join notification_channels c on c.id = t.id
    where t.id::text = lower(${nameOrId}) or lower(t.name) = lower(${nameOrId})
    order by t.id::text = lower(${nameOrId}) desc limit 1`)
  return row ?? undefined
}

export async function insertChannel(
  connection: Connection,
  { id, service, settings }: { id: string; service: ServiceName; settings: ChannelSettings },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into notification_channels (id, service, settings) values (${id}, ${service}, ${JSON.stringify(settings)}::jsonb)`)
}
