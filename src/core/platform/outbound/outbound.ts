import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { untilAborted } from '../concurrency/index.ts'
import { AppError, describeError, systemErrorCode } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import type { OutboundTrust } from './address-guard.ts'
import { checkUrl } from './check-url.ts'
import { outboundErrors } from './errors.ts'
import { followRedirect, isRedirect, type RedirectTarget } from './follow-redirect.ts'
import { guardedLookup, type ResolveName } from './guarded-lookup.ts'
import { ACCEPTED_ENCODINGS, readBody } from './read-body.ts'
import type { OutboundPurpose, OutboundResult, SentRequest } from './sent-request.ts'

export type OutboundRequest = {
  purpose: OutboundPurpose
  /** http or https, without user name; including its query. */
  url: string
  trust: OutboundTrust
  /** Default: GET. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Time limit of the whole exchange: DNS, connection, TLS, headers and body. */
  timeoutMilliseconds: number
  /** Size limit of the decompressed body; exceeding it ends the exchange. */
  maximumBytes: number
  /** Maximum number of redirects of a GET, each checked like the first address. Default: 0. */
  redirects?: number
  /** If true, a redirect is returned like any other reply and not followed: for protocols that explain it in the body. */
  returnsRedirects?: boolean
}

/** Any status but a redirect, unless `returnsRedirects`. Header names are in lower case; repeated headers are joined by commas. */
export type OutboundReply = { status: number; headers: Record<string, string>; body: Uint8Array }

/** The HTTP client of the product. Callers specify the request and the origin of its address. */
export type Outbound = {
  /**
   * Sends one request and reads the whole reply. Redirects are followed only as far as the request allows.
   * @throws AppError `outbound_refused`, `outbound_unreachable`, `outbound_timeout`, `outbound_too_large`; the signal's reason
   */
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply>
  /** Called after each request. */
  readonly listeners: Set<(sent: SentRequest) => void>
  /** Aborts running requests and closes the connections. Idempotent; later calls of `send` fail. */
  close(): Promise<void>
}

export type OutboundOptions = {
  log: Logger
  /** Default: the resolver of the system. */
  resolveName?: ResolveName
}

const CONNECTIONS_PER_SERVER = 8
const MAX_HEADER_BYTES = 16 * 1024
const TOO_LARGE_CODES: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'])

/**
 * The only client for other servers. Each trust level has separate connections: a connection to a private address, which only the
 * administrator may configure, is never reused for a request with a public address.
 */
export function createOutbound({ log, resolveName = lookup }: OutboundOptions): Outbound {
  const logger = log.child({ domain: 'outbound' })
  const agents = new Map<OutboundTrust, Promise<Agent>>()
  const closing = new AbortController()
  const listeners: Outbound['listeners'] = new Set()

  function agentFor(trust: OutboundTrust): Promise<Agent> {
    const agent = agents.get(trust) ?? openAgent(guardedLookup(trust, resolveName), closing.signal)
    agents.set(trust, agent)
    return agent
  }

  /** Sends the request and follows its redirects. */
  async function exchangeAll({ url, request, stop }: Exchange): Promise<OutboundReply> {
    const { method = 'GET', redirects = 0 } = request
    let hop: RedirectTarget = { url, trust: request.trust, headers: request.headers ?? {} }
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
    const report = (result: OutboundResult): void => {
      for (const listener of listeners) listener({ purpose: request.purpose, result })
    }
    try {
      const reply = await sendOne(request, signal)
      report(`${Math.floor(reply.status / 100)}xx` as OutboundResult)
      return reply
    } catch (error) {
      if (signal?.aborted !== true) report(isRefusal(error) ? 'refused' : 'failed')
      throw error
    }
  }

  async function sendOne(request: OutboundRequest, signal: AbortSignal | undefined): Promise<OutboundReply> {
    const url = checkUrl(request.url, request.trust)
    if (closing.signal.aborted) throw outboundErrors.outbound_unreachable({ message: 'The program is stopping.' })
    const deadline = new AbortController()
    // Unlike the timer of `AbortSignal.timeout`, this one keeps the process alive.
    const timer = setTimeout(() => deadline.abort(), request.timeoutMilliseconds)
    const stop = AbortSignal.any([deadline.signal, closing.signal, ...(signal === undefined ? [] : [signal])])
    try {
      // The library checks its signal only after the connection is established, and DNS and connecting can take long.
      return await untilAborted(exchangeAll({ url, request, stop }), stop)
    } catch (error) {
      logger.debug({ host: url.host, reason: describeError(error) }, 'a request to another server failed')
      if (signal?.aborted === true) throw signal.reason
      throw deadline.signal.aborted && !(error instanceof AppError)
        ? timeoutError(url, error)
        : toOutboundError(url, error)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    send,
    listeners,
    async close() {
      closing.abort()
      await Promise.all([...agents.values()].map(async (agent) => (await agent).destroy()))
    },
  }
}

/** Loaded on demand: most commands send no requests. */
async function openAgent(lookupAllowed: LookupFunction, closing: AbortSignal): Promise<Agent> {
  const undici = await import('undici')
  return new undici.Agent({
    connections: CONNECTIONS_PER_SERVER,
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
    // The signal of a request limits all of it; a second timer would only blur the error.
    headersTimeout: 0,
    bodyTimeout: 0,
    // The signal also ends sockets that are still connecting, which would keep the process alive until the connection timeout.
    connect: { lookup: lookupAllowed, signal: closing },
  })
}

type Exchange = { url: URL; request: OutboundRequest; stop: AbortSignal }

type Redirect = { status: number; location: string | undefined }

async function exchange(
  agent: Agent,
  { hop: { url, headers: sent }, request, stop }: Pick<Exchange, 'request' | 'stop'> & { hop: RedirectTarget },
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
  if (isRedirect(reply.statusCode) && request.returnsRedirects !== true) {
    reply.body.on('error', () => undefined).destroy()
    return { status: reply.statusCode, location: headers['location'] }
  }
  const body = await readBody(reply.body, headers['content-encoding'], request.maximumBytes)
  return { status: reply.statusCode, headers, body }
}

function flatHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).filter((entry) => entry[1] !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  )
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === outboundErrors.outbound_refused.definition.code
}

function timeoutError({ host }: URL, cause: unknown): AppError {
  return outboundErrors.outbound_timeout({ message: `${host} did not answer in time.`, cause })
}

function toOutboundError({ host }: URL, error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = systemErrorCode(error) ?? ''
  if (TOO_LARGE_CODES.has(code)) return outboundErrors.outbound_too_large({ cause: error })
  if (code === 'UND_ERR_INVALID_ARG') {
    return outboundErrors.outbound_refused({ message: `The request to ${host} is not valid HTTP.`, cause: error })
  }
  return outboundErrors.outbound_unreachable({ message: `${host} cannot be reached.`, cause: error })
}
