import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { shareRunning, untilAborted } from '../../platform/concurrency/index.ts'
import { AppError, describeError, type ErrorFactory } from '../../platform/errors/index.ts'
import type { Outbound, OutboundPurpose, OutboundReply, OutboundRequest } from '../../platform/outbound/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { metadataErrors } from '../errors.ts'
import type { RequestOptions } from '../provider.ts'
import type { ReplyCache } from './reply-cache.ts'
import { retryAfterMilliseconds } from './retry-after.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** A new object for each renewal, so that a late refusal of an older identity is recognized by object identity. */
export type ProviderCredentials = { headers?: Record<string, string>; query?: Record<string, string> }

/** The connection data of a provider. */
export type ProviderConnection = {
  /** Name in errors and in the reply cache. */
  name: string
  /** Base URL of the API, without a trailing slash. */
  baseUrl: string
  /** Returns the credentials, which are not part of the cache key. @throws the errors of `RequestProvider` */
  identify(signal: AbortSignal): Promise<ProviderCredentials>
  /** Called if the provider refused the credentials. Returns whether a retry makes sense. */
  refused?(identity: ProviderCredentials): boolean
  unreachable: ErrorFactory
  /** Maximum number of redirects. Default: none. */
  redirects?: number
}

export type ProviderServices = {
  outbound: Outbound
  /** Names the provider in the metrics. */
  purpose: OutboundPurpose
  clock: Clock
  cache: ReplyCache
  rateLimiter: RateLimiter
  timeoutMilliseconds: number
  /** Aborted when the process stops. */
  stopping: AbortSignal
}

export type ProviderRequest<Reply> = {
  /** Path below the base address, with its leading slash. */
  path: string
  query?: Record<string, string | undefined>
  /** Selects the fields to read. It must also accept its own result, which is the cached form. */
  schema: z.ZodType<Reply & object>
}

/** Pauses before the retries of a failed request. If all retries fail, the provider is considered down. */
const PAUSES_MILLISECONDS = [500, 2000]

/** Limit of consecutive pauses that a provider requests, so that waiting ends. */
const MAX_PAUSES = 6

/** Pause if a provider rejects a request temporarily without a `Retry-After`. */
const DEFAULT_PAUSE_MILLISECONDS = 2000

const MAX_BYTES = 8 * 1024 * 1024

export type RequestProvider = <Reply>(
  providerRequest: ProviderRequest<Reply>,
  options: RequestOptions,
) => Promise<Reply | undefined>

/**
 * Creates the request function of one provider: replies come from the cache, or over the network within the rate limit. Concurrent
 * identical requests share one exchange. The result is undefined if the provider does not have the resource (404).
 */
export function createRequestProvider(services: ProviderServices, source: ProviderConnection): RequestProvider {
  const lookups = new Map<string, Promise<unknown>>()
  const requests = new Map<string, Promise<object | null>>()

  /**
   * The cache lookup and the request are one shared operation. If they were separate, another caller's request could complete between the
   * two and would be repeated.
   */
  function lookUp(
    request: string,
    providerRequest: ProviderRequest<unknown>,
    notBefore: Date | undefined,
  ): Promise<unknown> {
    return shareRunning(lookups, `${notBefore?.getTime() ?? ''} ${request}`, async () => {
      const cached = await services.cache.find(request, notBefore)
      return cached === undefined ? fetchAndStore(request, providerRequest) : cached.reply
    })
  }

  function fetchAndStore(request: string, providerRequest: ProviderRequest<unknown>): Promise<object | null> {
    return shareRunning(requests, request, async () => {
      const reply = await fetchReply(services, source, providerRequest)
      await services.cache.store(request, reply)
      return reply
    })
  }

  return async function requestProvider<Reply>(
    providerRequest: ProviderRequest<Reply>,
    { signal, notBefore }: RequestOptions,
  ): Promise<Reply | undefined> {
    signal.throwIfAborted()
    const request = `${source.name} ${addressOf(source, providerRequest)}`
    // Other callers may wait for the same reply, so the abort of one caller does not end the request.
    const reply = await untilAborted(lookUp(request, providerRequest, notBefore), signal)
    if (reply === null) return undefined
    return parseReply(source, providerRequest, reply)
  }
}

function addressOf(
  { baseUrl }: ProviderConnection,
  { path, query = {} }: ProviderRequest<unknown>,
  more: Record<string, string> = {},
) {
  const entries = Object.entries({ ...query, ...more }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const parameters = new URLSearchParams(entries.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString()
  return `${baseUrl}${path}${parameters === '' ? '' : `?${parameters}`}`
}

function parseReply<Reply>(
  source: ProviderConnection,
  { schema, path }: ProviderRequest<Reply>,
  reply: unknown,
): Reply & object {
  const parsed = schema.safeParse(reply)
  if (parsed.success) return parsed.data
  throw metadataErrors.metadata_reply_invalid({ message: `${source.name} sent an invalid reply to ${path}` })
}

/** @returns null if the provider does not have the resource */
async function fetchReply(
  services: ProviderServices,
  source: ProviderConnection,
  providerRequest: ProviderRequest<unknown>,
): Promise<object | null> {
  const reply = await sendWithRetries(services, source, (identity) => ({
    url: addressOf(source, providerRequest, identity.query),
    headers: { accept: 'application/json', ...identity.headers },
  }))
  if (reply.status === 404) return null
  return parseReply<unknown>(source, providerRequest, parseJson(source, reply))
}

/**
 * Makes one exchange with a provider: within the rate limit, with the pauses that the provider requests (429 and 503 with `Retry-After`),
 * and with retries after failures.
 * @returns a successful reply: 2xx or 404
 * @throws AppError `source.unreachable`
 */
export async function sendWithRetries(
  { outbound, purpose, clock, rateLimiter, timeoutMilliseconds, stopping }: ProviderServices,
  source: ProviderConnection,
  make: (identity: ProviderCredentials) => Pick<OutboundRequest, 'url' | 'headers' | 'method' | 'body'>,
): Promise<OutboundReply> {
  let [failures, holds] = [0, 0]
  for (;;) {
    const identity = await source.identify(stopping)
    const request = make(identity)
    await rateLimiter.take(stopping)
    const attempt = await attemptRequest(
      outbound,
      {
        ...request,
        purpose,
        trust: 'configured',
        timeoutMilliseconds,
        maximumBytes: MAX_BYTES,
        redirects: source.redirects ?? 0,
      },
      stopping,
    )
    const outcome = classify(source, attempt, clock.now())
    if (outcome.kind === 'good') return outcome.reply
    if (outcome.kind === 'hold' && holds < MAX_PAUSES) {
      holds += 1
      rateLimiter.hold(outcome.milliseconds)
      continue
    }
    const retryPause = PAUSES_MILLISECONDS[failures]
    const canRetry =
      outcome.kind === 'refused' ? failures === 0 && source.refused?.(identity) === true : retryPause !== undefined
    if (!canRetry) throw source.unreachable({ message: `${source.name} ${outcome.reason}`, cause: outcome.cause })
    failures += 1
    if (outcome.kind === 'failed') await pause(retryPause, undefined, { signal: stopping })
  }
}

type Attempt = { reply: OutboundReply } | { error: AppError }

async function attemptRequest(outbound: Outbound, request: OutboundRequest, signal: AbortSignal): Promise<Attempt> {
  try {
    return { reply: await outbound.send(request, signal) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { error }
  }
}

type Outcome =
  | { kind: 'good'; reply: OutboundReply }
  | { kind: 'hold'; milliseconds: number; reason: string; cause?: unknown }
  | { kind: 'refused' | 'failed'; reason: string; cause?: unknown }

function classify(source: ProviderConnection, attempt: Attempt, now: Date): Outcome {
  if ('error' in attempt)
    return { kind: 'failed', reason: `cannot be reached: ${describeError(attempt.error)}`, cause: attempt.error }
  const { reply } = attempt
  const { status } = reply
  if (status === 404 || (status >= 200 && status < 300)) return { kind: 'good', reply }
  if (status === 401 || status === 403) {
    const reason = `refuses the key (HTTP ${status})`
    return { kind: 'refused', reason, cause: metadataErrors.key_refused({ message: `${source.name} ${reason}` }) }
  }
  const milliseconds = retryAfterMilliseconds(reply.headers['retry-after'], now)
  const reason = `answers with errors (HTTP ${status})`
  if (status === 429) return { kind: 'hold', milliseconds: milliseconds ?? DEFAULT_PAUSE_MILLISECONDS, reason }
  if (status === 503 && milliseconds !== undefined) return { kind: 'hold', milliseconds, reason }
  return { kind: 'failed', reason }
}

function parseJson(source: ProviderConnection, reply: OutboundReply): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(reply.body))
  } catch (error) {
    throw metadataErrors.metadata_reply_invalid({
      message: `${source.name} sent a reply that is not JSON`,
      cause: error,
    })
  }
}
