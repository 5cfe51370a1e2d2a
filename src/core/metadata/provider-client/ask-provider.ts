import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { AppError, describeError, type ErrorFactory } from '../../platform/errors/index.ts'
import type { Outbound, OutboundReply, OutboundRequest } from '../../platform/outbound/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { metadataErrors } from '../errors.ts'
import type { Asked } from '../provider.ts'
import type { ReplyCache } from './reply-cache.ts'
import { retryAfterMilliseconds } from './retry-after.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** One object for each that is made, so that a later refusal of an older one is known for what it is. */
export type Identity = { headers?: Record<string, string>; query?: Record<string, string> }

/** How a provider is reached. */
export type Source = {
  /** As errors and kept replies call it. */
  name: string
  /** Without a slash at its end. */
  baseUrl: string
  /** What identifies us; no part of what replies are kept under. @throws what asking throws */
  identify(signal: AbortSignal): Promise<Identity>
  /** Called when the provider did not accept that. Says whether another try is worth it. */
  refused?(identity: Identity): boolean
  unreachable: ErrorFactory
  /** How many redirects it may answer with; none unless said. */
  redirects?: number
}

export type AskServices = {
  outbound: Outbound
  clock: Clock
  cache: ReplyCache
  rateLimiter: RateLimiter
  timeoutMilliseconds: number
  /** Fires when the process stops. */
  stopping: AbortSignal
}

export type Question<Reply> = {
  /** Below the base address, with its slash. */
  path: string
  query?: Record<string, string | undefined>
  /** Takes what is read of the reply, and takes its own result again: that is what is kept. */
  schema: z.ZodType<Reply & object>
}

/** A request that failed is sent again after these; a longer row of failures is a provider that is down. */
const PAUSES_MILLISECONDS = [500, 2000]

/** A provider that asks to wait again and again is not waited for for ever. */
const MAX_HOLDS = 6

/** When a provider refuses for now without saying for how long. */
const HOLD_MILLISECONDS = 2000

const MAX_BYTES = 8 * 1024 * 1024

export type AskProvider = <Reply>(question: Question<Reply>, asked: Asked) => Promise<Reply | undefined>

/**
 * Asks one provider: from what is kept, or over the network at the provider's pace, once for all who ask the same at the same time.
 * The answer is undefined when the provider has no such thing (404).
 */
export function createAsking(services: AskServices, source: Source): AskProvider {
  const lookups = new Map<string, Promise<unknown>>()
  const flights = new Map<string, Promise<object | null>>()

  /** Looking and flying are one: between the two, somebody else's flight could land, be missed, and be flown again. */
  function lookUp(request: string, question: Question<unknown>, notBefore: Date | undefined): Promise<unknown> {
    return share(lookups, `${notBefore?.getTime() ?? ''} ${request}`, async () => {
      const kept = await services.cache.find(request, notBefore)
      return kept === undefined ? fly(request, question) : kept.reply
    })
  }

  function fly(request: string, question: Question<unknown>): Promise<object | null> {
    return share(flights, request, async () => {
      const reply = await fetchReply(services, source, question)
      await services.cache.keep(request, reply)
      return reply
    })
  }

  return async function ask<Reply>(
    question: Question<Reply>,
    { signal, notBefore }: Asked,
  ): Promise<Reply | undefined> {
    signal.throwIfAborted()
    const request = `${source.name} ${addressOf(source, question)}`
    const reply = await unlessAborted(lookUp(request, question, notBefore), signal)
    if (reply === null) return undefined
    return understand(source, question, reply)
  }
}

/** What is under way is waited for, not begun again. */
function share<Result>(
  underWay: Map<string, Promise<Result>>,
  key: string,
  begin: () => Promise<Result>,
): Promise<Result> {
  const known = underWay.get(key)
  if (known !== undefined) return known
  const begun = begin().finally(() => underWay.delete(key))
  underWay.set(key, begun)
  return begun
}

/** Others may wait for the same reply, so one who leaves does not end it. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const left = Promise.withResolvers<never>()
  const leave = (): void => left.reject(signal.reason as Error)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, left.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

function addressOf({ baseUrl }: Source, { path, query = {} }: Question<unknown>, more: Record<string, string> = {}) {
  const entries = Object.entries({ ...query, ...more }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const parameters = new URLSearchParams(entries.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString()
  return `${baseUrl}${path}${parameters === '' ? '' : `?${parameters}`}`
}

function understand<Reply>(source: Source, { schema, path }: Question<Reply>, reply: unknown): Reply & object {
  const parsed = schema.safeParse(reply)
  if (parsed.success) return parsed.data
  throw metadataErrors.metadata_reply_invalid({ message: `${source.name} answered ${path} in an unknown form` })
}

/** @returns null when the provider has no such thing */
async function fetchReply(services: AskServices, source: Source, question: Question<unknown>): Promise<object | null> {
  const reply = await sendPatiently(services, source, (identity) => ({
    url: addressOf(source, question, identity.query),
    headers: { accept: 'application/json', ...identity.headers },
  }))
  if (reply.status === 404) return null
  return understand<unknown>(source, question, parseJson(source, reply))
}

/**
 * One exchange as it should be made with a provider: at its pace, waiting where it says so (429 and 503 with `Retry-After`), and again
 * after a pause when it failed.
 * @returns a reply that is no failure: 2xx or 404
 * @throws AppError `source.unreachable`
 */
export async function sendPatiently(
  { outbound, clock, rateLimiter, timeoutMilliseconds, stopping }: AskServices,
  source: Source,
  make: (identity: Identity) => Pick<OutboundRequest, 'url' | 'headers' | 'method' | 'body'>,
): Promise<OutboundReply> {
  let [failures, holds] = [0, 0]
  for (;;) {
    const identity = await source.identify(stopping)
    const request = make(identity)
    await rateLimiter.take(stopping)
    const sent = await trySending(
      outbound,
      {
        ...request,
        trust: 'configured',
        timeoutMilliseconds,
        maximumBytes: MAX_BYTES,
        redirects: source.redirects ?? 0,
      },
      stopping,
    )
    const verdict = judge(source, sent, clock.now())
    if (verdict.kind === 'good') return verdict.reply
    if (verdict.kind === 'hold' && holds < MAX_HOLDS) {
      holds += 1
      rateLimiter.hold(verdict.milliseconds)
      continue
    }
    const again = PAUSES_MILLISECONDS[failures]
    const isWorthIt =
      verdict.kind === 'refused' ? failures === 0 && source.refused?.(identity) === true : again !== undefined
    if (!isWorthIt) throw source.unreachable({ message: `${source.name} ${verdict.reason}`, cause: verdict.cause })
    failures += 1
    if (verdict.kind === 'failed') await pause(again, undefined, { signal: stopping })
  }
}

type Sent = { reply: OutboundReply } | { error: AppError }

async function trySending(outbound: Outbound, request: OutboundRequest, signal: AbortSignal): Promise<Sent> {
  try {
    return { reply: await outbound.send(request, signal) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { error }
  }
}

type Verdict =
  | { kind: 'good'; reply: OutboundReply }
  | { kind: 'hold'; milliseconds: number; reason: string; cause?: unknown }
  | { kind: 'refused' | 'failed'; reason: string; cause?: unknown }

function judge(source: Source, sent: Sent, now: Date): Verdict {
  if ('error' in sent)
    return { kind: 'failed', reason: `cannot be reached: ${describeError(sent.error)}`, cause: sent.error }
  const { reply } = sent
  const { status } = reply
  if (status === 404 || (status >= 200 && status < 300)) return { kind: 'good', reply }
  if (status === 401 || status === 403) {
    const reason = `refuses the key (HTTP ${status})`
    return { kind: 'refused', reason, cause: metadataErrors.key_refused({ message: `${source.name} ${reason}` }) }
  }
  const milliseconds = retryAfterMilliseconds(reply.headers['retry-after'], now)
  const reason = `answers with errors (HTTP ${status})`
  if (status === 429) return { kind: 'hold', milliseconds: milliseconds ?? HOLD_MILLISECONDS, reason }
  if (status === 503 && milliseconds !== undefined) return { kind: 'hold', milliseconds, reason }
  return { kind: 'failed', reason }
}

function parseJson(source: Source, reply: OutboundReply): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(reply.body))
  } catch (error) {
    throw metadataErrors.metadata_reply_invalid({ message: `${source.name} answered no JSON`, cause: error })
  }
}
