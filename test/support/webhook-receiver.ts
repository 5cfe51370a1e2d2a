import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A webhook receiver, written from the documentation: an HTTP POST with a JSON body; `X-Service-Signature: sha256=<hex>` is the HMAC-SHA256
 * of the raw body keyed with the secret, compared in constant time; 401 if it differs.
 */
export type WebhookReceiver = {
  url: string
  /** Bodies with a valid signature, in order. */
  events: Record<string, unknown>[]
  /** All requests in order: path, headers and body bytes. */
  requests: { path: string; headers: IncomingMessage['headers']; raw: Buffer }[]
  /** Replaces the normal response. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Resolves when this total number of valid events has arrived. */
  received(count: number): Promise<Record<string, unknown>[]>
}

type Test = { teardown(action: () => Promise<void>): void }

const take = (_: IncomingMessage, response: ServerResponse): void => void response.writeHead(200).end('ok')

export async function startWebhookReceiver(t: Test, secret: string): Promise<WebhookReceiver> {
  let wake: () => void = () => undefined
  const receiver: WebhookReceiver = {
    url: '',
    events: [],
    requests: [],
    answer: take,
    async received(count) {
      while (receiver.events.length < count) await new Promise<void>((resolve) => (wake = resolve))
      return receiver.events
    },
  }
  const server = createServer((request, response) => void hear(request, response))

  async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    receiver.requests.push({ path: request.url ?? '', headers: request.headers, raw })
    if (receiver.answer !== take) return receiver.answer(request, response)
    if (!isSigned(raw, request.headers['x-service-signature'], secret)) return void response.writeHead(401).end()
    receiver.events.push(JSON.parse(raw.toString('utf8')) as Record<string, unknown>)
    wake()
    return receiver.answer(request, response)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}

function isSigned(raw: Buffer, header: string | string[] | undefined, secret: string): boolean {
  const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`)
  const given = Buffer.from(String(header ?? ''))
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Restores the normal response. */
export function restoreResponses(receiver: WebhookReceiver): void {
  receiver.answer = take
}
