import {
  deliverOnce,
  type Delivery,
  type DeliveryDependencies,
  type DeliveryRecord,
  type AttemptResult,
} from '../outbox/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { publishMqttMessage, type Outbound } from '../platform/outbound/index.ts'
import { getChannel } from './manage-channels.ts'
import { selectChannel } from './queries.ts'
import type { NotificationTransport } from './service.ts'
import { notificationServiceByName, type ChannelSettings } from './services/index.ts'

export type NotificationDependencies = DeliveryDependencies & { outbound: Outbound }

const READ_BYTES = 64 * 1024

/**
 * Sends a notification through a channel, in the format of its service.
 * @throws the signal's reason
 */
export async function sendNotification(
  services: NotificationDependencies,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const channel = await selectChannel(services.db, delivery.targetId)
  if (channel === undefined) return { ...failure('The channel was removed.'), isFinal: true }
  const service = notificationServiceByName(channel.service)
  try {
    const input = { notice: delivery, settings: channel.settings }
    const result = await service.deliver(openTransport(services, signal), input)
    return withoutSecrets(result, channel.settings, service.secrets)
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error
    return failure(error.message)
  }
}

function openTransport({ config, outbound }: NotificationDependencies, signal: AbortSignal): NotificationTransport {
  const timeoutMilliseconds = config.options['webhooks.timeout_seconds'] * 1000
  const limits = { trust: 'configured', timeoutMilliseconds } as const
  return {
    send: (request) =>
      outbound.send(
        { ...request, ...limits, purpose: 'notification', method: 'POST', maximumBytes: READ_BYTES },
        signal,
      ),
    publish: (message) => publishMqttMessage({ ...message, ...limits, isRetained: false }, signal),
  }
}

function failure(error: string): AttemptResult {
  return { isDelivered: false, statusCode: null, responseBody: null, error }
}

/** Removes secrets from a result, because services repeat keys in their errors and results are stored and displayed. */
function withoutSecrets(result: AttemptResult, settings: ChannelSettings, secrets: readonly string[]): AttemptResult {
  const values = secrets.map((name) => settings[name] ?? '').filter((value) => value !== '')
  const clean = (text: string | null): string | null =>
    text === null ? null : values.reduce((rest, value) => rest.replaceAll(value, '***'), text)
  return { ...result, responseBody: clean(result.responseBody), error: clean(result.error) }
}

/**
 * Sends a test through a channel in one attempt.
 * @throws AppError `channel_not_found`; the signal's reason
 */
export async function testChannel(
  services: NotificationDependencies,
  nameOrId: string,
  signal: AbortSignal,
): Promise<DeliveryRecord> {
  const channel = await getChannel(services, nameOrId)
  const facts = { event: 'webhook.test', message: `This is a test of the channel ${channel.name}.` } as const
  const send = (delivery: Delivery, stop: AbortSignal): Promise<AttemptResult> =>
    sendNotification(services, delivery, stop)
  return deliverOnce(services, { targetId: channel.id, kind: 'channel', facts, send }, signal)
}
