import { deleteTarget, insertTarget } from '../outbox/index.ts'
import { violatedUniqueConstraint, type Connection, type Database } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { checkBrokerUrl, checkUrlAndDns } from '../platform/outbound/index.ts'
import type { Clock } from '../platform/time/index.ts'
import {
  maskSettings,
  parseChannelEvents,
  parseChannelName,
  parseChannelService,
  parseChannelSettings,
  type NotificationChannel,
} from './channel.ts'
import { notificationErrors } from './errors.ts'
import { insertChannel, selectChannel, selectChannels } from './queries.ts'
import { notificationServiceByName, type ChannelSettings, type ServiceName } from './services/index.ts'

/** All channels, sorted by name, with masked secrets. */
export async function listChannels({ db }: { db: Connection }): Promise<NotificationChannel[]> {
  return (await selectChannels(db)).map(withMaskedSecrets)
}

/** @throws AppError `channel_not_found` */
export async function getChannel({ db }: { db: Connection }, nameOrId: string): Promise<NotificationChannel> {
  const channel = await selectChannel(db, nameOrId)
  if (channel === undefined) throw notificationErrors.channel_not_found()
  return withMaskedSecrets(channel)
}

/**
 * Creates a channel, which receives events from now on. Channels are created by commands on
 * this machine, so their addresses may be loopback or private addresses, but not link-local addresses, which cloud metadata services use.
 * @param input.events names of the events; empty: all events
 * @throws AppError `invalid_channel`, `channel_exists`
 */
export async function addChannel(
  { db, clock }: { db: Database; clock: Clock },
  input: { name: string; service: string; events: readonly string[]; settings: Readonly<Record<string, string>> },
): Promise<NotificationChannel> {
  const [name, service] = [parseChannelName(input.name), parseChannelService(input.service)]
  const events = parseChannelEvents(input.events)
  const settings = parseChannelSettings(service, input.settings)
  await checkAddress(service, settings)
  try {
    return await db.transaction(async (connection) => {
      const id = await insertTarget(connection, { kind: 'channel', name, events, now: clock.now() })
      await insertChannel(connection, { id, service, settings })
      return getChannel({ db: connection }, id)
    })
  } catch (error) {
    if (violatedUniqueConstraint(error) === 'delivery_targets_channel_name_key')
      throw notificationErrors.channel_exists()
    throw error
  }
}

async function checkAddress(service: ServiceName, settings: ChannelSettings): Promise<void> {
  const address = notificationServiceByName(service).address(settings)
  try {
    if (service === 'mqtt') checkBrokerUrl(address, 'configured')
    else await checkUrlAndDns(address, 'configured')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw notificationErrors.invalid_channel({ message: error.message, cause: error })
  }
}

/**
 * Deletes a channel with its waiting deliveries and returns it.
 * @throws AppError `channel_not_found`
 */
export async function removeChannel({ db }: { db: Connection }, nameOrId: string): Promise<NotificationChannel> {
  const channel = await getChannel({ db }, nameOrId)
  await deleteTarget(db, { id: channel.id, kind: 'channel' })
  return channel
}

function withMaskedSecrets(channel: NotificationChannel): NotificationChannel {
  return { ...channel, settings: maskSettings(channel.service, channel.settings) }
}
