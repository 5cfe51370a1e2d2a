import type { z } from 'zod'
import type { AttemptResult, DeliveryHttpReply, OutboxEvent } from '../outbox/index.ts'
import type { MqttMessage, Outbound } from '../platform/outbound/index.ts'
import { formatNotificationText, type NotificationText } from './notification-text.ts'

/** An event for a channel. */
export type ServiceNotification = {
  /** UUID of the delivery, and UUID of the channel. */
  id: string
  targetId: string
  facts: OutboxEvent
  occurredAt: Date
}

/** The transports to services; each exchange has one time limit. */
export type NotificationTransport = {
  send: (request: Pick<Parameters<Outbound['send']>[0], 'url' | 'headers' | 'body'>) => Promise<DeliveryHttpReply>
  publish: (message: Pick<MqttMessage, 'url' | 'username' | 'password' | 'topic' | 'payload'>) => Promise<void>
}

/** A notification service. */
export type NotificationService<Settings extends Record<string, string | undefined>> = {
  /** Schema of its settings: texts by name. */
  settings: z.ZodType<Settings>
  /** Names of settings that are masked. */
  secrets: readonly (keyof Settings & string)[]
  /** The address of the service. Pure. */
  address: (settings: Settings) => string
  /** @throws the errors of the transport */
  deliver: (
    transport: NotificationTransport,
    input: { notice: ServiceNotification; settings: Settings },
  ) => Promise<AttemptResult>
}

export type ComposedRequest = { url: string; headers?: Record<string, string>; json: object }

type HttpService<Settings extends Record<string, string | undefined>> = Omit<
  NotificationService<Settings>,
  'deliver'
> & {
  /** Builds the request as documented by the service. Pure. */
  compose: (wording: NotificationText, settings: Settings, notice: ServiceNotification) => ComposedRequest
  /** Interprets the reply. Pure. */
  read: (reply: DeliveryHttpReply) => AttemptResult
}

/** A service that receives notifications as a POST of JSON. */
export function httpService<Settings extends Record<string, string | undefined>>({
  compose,
  read,
  ...service
}: HttpService<Settings>): NotificationService<Settings> {
  return {
    ...service,
    deliver: async ({ send }, { notice, settings }) => {
      const { url, headers = {}, json } = compose(formatNotificationText(notice.facts), settings, notice)
      const body = JSON.stringify(json)
      return read(await send({ url, headers: { 'content-type': 'application/json', ...headers }, body }))
    },
  }
}
