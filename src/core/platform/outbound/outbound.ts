import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { AppError, describeError, systemErrorCode } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import type { OutboundTrust } from './address-guard.ts'
import { checkUrl } from './check-url.ts'
import { outboundErrors } from './errors.ts'
import { followRedirect, isRedirect, type Hop } from './follow-redirect.ts'
import { guardedLookup, type ResolveName } from './guarded-lookup.ts'
import { ACCEPTED_ENCODINGS, readBody } from './read-body.ts'

export type OutboundRequest = {
  /** http or https, without user name; with its query. */
  url: string
  trust: OutboundTrust
  /** GET unless said. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  /** For the whole exchange: name, connection, TLS, headers and body. */
  timeoutMilliseconds: number
  /** Of the body, after decompression; more ends the exchange. */
  maximumBytes: number
  /** How many redirects of a GET are followed, each address judged like the first; none unless said. */
  redirects?: number
}

/** Any status but a redirect. Header names are in lower case; several lines of one name are joined by commas. */
export type OutboundReply = { status: number; headers: Record<string, string>; body: Uint8Array }

/** Sends HTTP out, for all of the product: every other place only says what to send and whom the address is from. */
export type Outbound = {
  /**
   * Sends one request and reads the whole reply. Redirects are not followed but where the request says so (SS-04).
   * @throws AppError `outbound_refused`, `outbound_unreachable`, `outbound_timeout`, `outbound_too_large`; the signal's reason
   */
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply>
  /** Breaks off what is under way and closes the connections. Idempotent; later calls of `send` fail. */
  close(): Promise<void>
}

export type OutboundInput = {
  log: Logger
  /** The system's name service unless said. */
  resolveName?: ResolveName
}

const CONNECTIONS_PER_SERVER = 8
const MAX_HEADER_BYTES = 16 * 1024
const TOO_LARGE_CODES: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'])

/**
 * The one door to other servers. Each class of trust has connections of its own: one that was opened to an address which only the
 * administrator may name never serves a request with an address of somebody else (security design 2.10).
 */
export function createOutbound({ log, resolveName = lookup }: OutboundInput): Outbound {
  const logger = log.child({ domain: 'outbound' })
  const agents = new Map<OutboundTrust, Promise<Agent>>()
  const closing = new AbortController()

  function agentFor(trust: OutboundTrust): Promise<Agent> {
    const agent = agents.get(trust) ?? openAgent(guardedLookup(trust, resolveName), closing.signal)
    agents.set(trust, agent)
    return agent
  }

  /** Asks one address after the other, as far as redirects are followed. */
  async function exchangeAll({ url, request, stop }: Exchange): Promise<OutboundReply> {
    const { method = 'GET', redirects = 0 } = request
    let hop: Hop = { url, trust: request.trust, headers: request.headers ?? {} }
    for (let left = method === 'GET' ? redirects : 0; ; left -= 1) {
      const reply = await exchange(await agentFor(hop.trust), { hop, request, stop })
      if ('body' in reply) return reply
      if (left === 0)
        throw outboundErrors.outbound_refused({ message: `${hop.url.host} redirects, which is not followed.` })
      hop = followRedirect(hop, reply)
    }
  }

  async function send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply> {
    signal?.throwIfAborted()
    const url = checkUrl(request.url, request.trust)
    if (closing.signal.aborted) throw outboundErrors.outbound_unreachable({ message: 'The program is stopping.' })
    const deadline = new AbortController()
    // Unlike the timer of `AbortSignal.timeout`, this one keeps a process that waits for nothing else.
    const timer = setTimeout(() => deadline.abort(), request.timeoutMilliseconds)
    const stop = AbortSignal.any([deadline.signal, closing.signal, ...(signal === undefined ? [] : [signal])])
    try {
      return await Promise.race([exchangeAll({ url, request, stop }), rejectWhenAborted(stop)])
    } catch (error) {
      logger.debug({ host: url.host, reason: describeError(error) }, 'a request to another server failed')
      if (signal?.aborted === true) throw signal.reason
      throw deadline.signal.aborted && !(error instanceof AppError) ? slowness(url, error) : translate(url, error)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    send,
    async close() {
      closing.abort()
      await Promise.all([...agents.values()].map(async (agent) => (await agent).destroy()))
    },
  }
}

/** Loaded only here: most commands send nothing out. */
async function openAgent(lookupAllowed: LookupFunction, closing: AbortSignal): Promise<Agent> {
  const undici = await import('undici')
  return new undici.Agent({
    connections: CONNECTIONS_PER_SERVER,
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
    // The signal of a request bounds all of it; a second clock would only blur the error.
    headersTimeout: 0,
    bodyTimeout: 0,
    // The signal ends sockets that are still connecting too, which would keep the process for the time limit of a connection.
    connect: { lookup: lookupAllowed, signal: closing },
  })
}

type Exchange = { url: URL; request: OutboundRequest; stop: AbortSignal }

type Redirect = { status: number; location: string | undefined }

async function exchange(
  agent: Agent,
  { hop: { url, headers: sent }, request, stop }: Pick<Exchange, 'request' | 'stop'> & { hop: Hop },
): Promise<OutboundReply | Redirect> {
  const reply = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method ?? 'GET',
    headers: { 'user-agent': 'Phlix', 'accept-encoding': ACCEPTED_ENCODINGS, ...sent },
    body: request.body ?? null,
    signal: stop,
  })
  const headers = flatHeaders(reply.headers)
  if (isRedirect(reply.statusCode)) {
    reply.body.on('error', () => undefined).destroy()
    return { status: reply.statusCode, location: headers['location'] }
  }
  const body = await readBody(reply.body, headers['content-encoding'], request.maximumBytes)
  return { status: reply.statusCode, headers, body }
}

/** The library looks at its signal only once it is connected, and names and connections may take their time. */
function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason as Error)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return promise
}

function flatHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).filter((entry) => entry[1] !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  )
}

function slowness({ host }: URL, cause: unknown): AppError {
  return outboundErrors.outbound_timeout({ message: `${host} did not answer in time.`, cause })
}

function translate({ host }: URL, error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = systemErrorCode(error) ?? ''
  if (TOO_LARGE_CODES.has(code)) return outboundErrors.outbound_too_large({ cause: error })
  if (code === 'UND_ERR_INVALID_ARG') {
    return outboundErrors.outbound_refused({ message: `The request to ${host} is not valid HTTP.`, cause: error })
  }
  return outboundErrors.outbound_unreachable({ message: `${host} cannot be reached.`, cause: error })
}
