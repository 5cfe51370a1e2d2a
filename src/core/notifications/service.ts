import type { z } from 'zod'
import type { OutboxEvent, Receipt } from '../outbox/index.ts'
import type { BrokerMessage, Outbound } from '../platform/outbound/index.ts'
import type { HttpReply } from './reply.ts'
import { wordingOf, type Wording } from './wording.ts'

/** What is told, and to which channel. */
export type Notice = {
  /** UUIDs of the delivery and of the channel. */
  id: string
  targetId: string
  facts: OutboxEvent
  occurredAt: Date
}

/** How services are reached; each exchange has one time limit for all of it. */
export type Transport = {
  send: (request: Pick<Parameters<Outbound['send']>[0], 'url' | 'headers' | 'body'>) => Promise<HttpReply>
  publish: (message: Pick<BrokerMessage, 'url' | 'username' | 'password' | 'topic' | 'payload'>) => Promise<void>
}

/** A service that people are told through. */
export type Service<Settings extends Record<string, string | undefined>> = {
  /** What it needs to know: texts by name. */
  settings: z.ZodType<Settings>
  /** Those of them that nobody is shown. */
  secrets: readonly (keyof Settings & string)[]
  /** Where it is. Pure. */
  address: (settings: Settings) => string
  /** @throws what the transport throws */
  deliver: (transport: Transport, told: { notice: Notice; settings: Settings }) => Promise<Receipt>
}

export type Composed = { url: string; headers?: Record<string, string>; json: object }

type HttpService<Settings extends Record<string, string | undefined>> = Omit<Service<Settings>, 'deliver'> & {
  /** The request, as the service documents it. Pure. */
  compose: (wording: Wording, settings: Settings, notice: Notice) => Composed
  /** What a reply means. Pure. */
  read: (reply: HttpReply) => Receipt
}

/** A service that is told by one POST of JSON. */
export function httpService<Settings extends Record<string, string | undefined>>({
  compose,
  read,
  ...service
}: HttpService<Settings>): Service<Settings> {
  return {
    ...service,
    deliver: async ({ send }, { notice, settings }) => {
      const { url, headers = {}, json } = compose(wordingOf(notice.facts), settings, notice)
      const body = JSON.stringify(json)
      return read(await send({ url, headers: { 'content-type': 'application/json', ...headers }, body }))
    },
  }
}
