import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Discord, Slack, Telegram, ntfy, Pushover and an Apprise API server on one address. Each validates messages and reports errors as
 * documented.
 */
export type FakeNotifiers = {
  url: string
  /** Accepted messages, in order. */
  taken: { service: string; headers: IncomingHttpHeaders; message: Json }[]
  /** All calls, accepted or not: `discord 404`. */
  calls: string[]
  behaviour: 'well' | 'limiting' | 'failing' | 'gone' | 'foreign'
}

type Json = Record<string, unknown>
type Call = {
  path: string
  headers: IncomingHttpHeaders
  message: Json | undefined
  behaviour: FakeNotifiers['behaviour']
}
type Answer = { status: number; body?: unknown; headers?: Record<string, string> }
type Test = { teardown(action: () => Promise<void>): void }

export const BOT_TOKEN = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11'
export const PUSHOVER_TOKEN = 'azGDORePK8gMaC0QOYAMyEEuzJnyUi'
export const PUSHOVER_USER = 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const characters = (value: unknown): number => Array.from(text(value)).length
const bytes = (value: unknown): number => Buffer.byteLength(text(value))

function discord({ path, message, behaviour }: Call): Answer {
  if (behaviour === 'limiting') {
    return { status: 429, body: { message: 'You are being rate limited.', retry_after: 64.57, global: false } }
  }
  if (path !== '/api/webhooks/1/hush' || behaviour === 'gone')
    return { status: 404, body: { message: 'Unknown Webhook', code: 10_015 } }
  const [embed] = (message?.['embeds'] ?? []) as Json[]
  if (embed === undefined) return { status: 400, body: { message: 'Cannot send an empty message', code: 50_006 } }
  const isLong = characters(embed['title']) > 256 || characters(embed['description']) > 4096
  if (isLong || text(embed['title']) === '')
    return { status: 400, body: { message: 'Invalid Form Body', code: 50_035 } }
  return { status: 204 }
}

function slack({ path, message, behaviour }: Call): Answer {
  if (behaviour === 'limiting') return { status: 429, body: 'rate_limited', headers: { 'retry-after': '30' } }
  if (behaviour === 'gone') return { status: 410, body: 'channel_is_archived' }
  if (path !== '/services/T0/B0/hush') return { status: 404, body: 'no_service' }
  if (message === undefined) return { status: 400, body: 'invalid_payload' }
  if (text(message['text']) === '') return { status: 400, body: 'no_text' }
  return { status: 200, body: 'ok' }
}

function telegram({ path, message, behaviour }: Call): Answer {
  const no = (code: number, description: string, parameters?: Json): Answer => ({
    status: code,
    body: { ok: false, error_code: code, description, ...(parameters === undefined ? {} : { parameters }) },
  })
  if (behaviour === 'limiting') return no(429, 'Too Many Requests: retry after 35', { retry_after: 35 })
  if (path !== `/bot${BOT_TOKEN}/sendMessage`) return no(401, `Unauthorized: ${path}`)
  if (behaviour === 'gone' || message?.['chat_id'] !== '-100200300') return no(400, 'Bad Request: chat not found')
  const html = text(message['text'])
  const shown = html.replaceAll(/<\/?b>/g, '')
  if (/[<>]|&(?!(?:amp|lt|gt|quot);)/.test(shown))
    return no(400, "Bad Request: can't parse entities: unsupported start tag")
  const length = shown.replaceAll(/&(?:amp|lt|gt|quot);/g, 'x').length
  if (length > 4096) return no(400, 'Bad Request: message is too long')
  return { status: 200, body: { ok: true, result: { message_id: 1 } } }
}

function ntfy({ path, headers, message, behaviour }: Call): Answer {
  const no = (http: number, code: number, error: string): Answer => ({ status: http, body: { code, http, error } })
  if (behaviour === 'limiting') return no(429, 42_901, 'limit reached: too many requests')
  if (behaviour === 'gone' || headers.authorization !== 'Bearer tk_hush') return no(403, 40_301, 'forbidden')
  if (path !== '/') return no(404, 40_401, 'page not found')
  if (!/^[-_A-Za-z0-9]{1,64}$/.test(text(message?.['topic']))) return no(400, 40_009, 'invalid request: topic invalid')
  if (bytes(message?.['message']) > 4096) return no(413, 41_301, 'attachment too large')
  return { status: 200, body: { id: 'x', event: 'message' } }
}

function pushover({ path, message, behaviour }: Call): Answer {
  const no = (status: number, errors: string[]): Answer => ({ status, body: { errors, status: 0, request: 'r' } })
  if (path !== '/1/messages.json') return { status: 404, body: '<html>' }
  if (behaviour === 'limiting') return no(429, ['application has exceeded its monthly limit'])
  if (message?.['token'] !== PUSHOVER_TOKEN) return no(400, ['application token is invalid'])
  if (behaviour === 'gone' || message['user'] !== PUSHOVER_USER)
    return no(400, [`user identifier ${PUSHOVER_USER} is invalid`])
  if (text(message['message']) === '') return no(400, ['message cannot be blank'])
  if (characters(message['message']) > 1024 || characters(message['title']) > 250)
    return no(400, ['message is too long'])
  return { status: 200, body: { status: 1, request: 'r' } }
}

function apprise({ path, message, behaviour }: Call): Answer {
  if (behaviour === 'limiting') return { status: 429, body: { error: 'limited' } }
  if (behaviour === 'gone') return { status: 424, body: { error: 'One or more notification could not be sent.' } }
  if (path !== '/notify/phlix') return { status: 204 }
  const isKnown = ['info', 'success', 'warning', 'failure'].includes(text(message?.['type']))
  if (text(message?.['body']) === '' || !isKnown) return { status: 400, body: { error: 'Bad FORM Payload provided.' } }
  return { status: 200, body: { error: null } }
}

const SERVICES: Record<string, (call: Call) => Answer> = { discord, slack, telegram, ntfy, pushover, apprise }

/** The services are below `/discord`, `/slack` and so on. */
export async function startFakeNotifiers(t: Test): Promise<FakeNotifiers> {
  const fake: FakeNotifiers = { url: '', taken: [], calls: [], behaviour: 'well' }
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
    const [, service = '', path = ''] = /^\/(\w+)(\/.*)$/.exec(request.url ?? '') ?? []
    const { headers } = request
    const message = parse(body)
    const {
      status,
      body: reply,
      headers: more = {},
    } = answer(service, { path, headers, message, behaviour: fake.behaviour })
    fake.calls.push(`${service} ${status}`)
    if (status < 300 && status !== 204 + (service === 'discord' ? 1 : 0) && message !== undefined) {
      fake.taken.push({ service, headers, message })
    }
    const isText = typeof reply === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...more })
    response.end(reply === undefined ? undefined : isText ? reply : JSON.stringify(reply))
  }
  const server = createServer((request, response) => void hear(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
  })
  return fake
}

function answer(service: string, call: Call): Answer {
  if (call.behaviour === 'failing') return { status: 502, body: '<html>Bad gateway</html>' }
  if (call.behaviour === 'foreign') return { status: 200, body: 'hello' }
  return SERVICES[service]?.(call) ?? { status: 404 }
}

function parse(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json
  } catch {
    return undefined
  }
}
