import type { FastifyRequest } from 'fastify'
import fastifyRateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import { RATE_LIMIT_SURFACES, type RateLimit, type RateLimitSurface } from '../../core/platform/config/index.ts'
import {
  countClient,
  countHit,
  createProcessCounts,
  rateLimitedError,
  type WindowCount,
  type ProcessCounts,
} from '../../core/platform/rate-limits/index.ts'
import type { Services } from '../../core/services.ts'
import type { App } from '../http/app-types.ts'

type Dependencies = Pick<Services, 'config' | 'db' | 'clock'>

/** The library's headers would tell an attacker how many attempts are left. The error handler sets `Retry-After`. */
const NO_HEADERS = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/**
 * Counts the requests of routes that declare a surface, per client address, or what the surface or the route says, before the body is read. The guards
 * of access have run before. Above the limit the answer is 429 `rate_limited`. Every request counts, whatever its response. If the count cannot be stored, the request fails.
 */
export async function installRateLimits(app: App, services: Dependencies): Promise<void> {
  const { options } = services.config
  // Registered before the library's own hook, which reads the configuration that this hook writes.
  app.addHook('onRoute', ({ config }) => {
    const surface = config?.surface
    if (config === undefined || surface === undefined) return
    const { isPerSession = false }: RateLimit = RATE_LIMIT_SURFACES[surface]
    const countedAs = config.countedAs ?? (isPerSession ? grantName : undefined)
    config.rateLimit = {
      max: options[`server.rate_limit.${surface}.max`],
      timeWindow: options[`server.rate_limit.${surface}.window`] * 1000,
      keyGenerator: async (request) => `${surface} ${(await countedAs?.(request)) ?? request.clientAddress}`,
    }
  })
  await app.register(fastifyRateLimit, {
    global: false,
    store: storeOf(services),
    addHeaders: { ...NO_HEADERS, 'retry-after': false },
    addHeadersOnExceeding: NO_HEADERS,
    errorResponseBuilder: (_request, { ttl }) => rateLimitedError(ttl),
  })
}

/** The session or the API key of a request. */
async function grantName({ grant }: FastifyRequest): Promise<string | undefined> {
  return grant === null ? undefined : `${grant.kind}${grant.id}`
}

/** Adapts our counters to the store interface of the library. Keys consist of surface and address, separated by a space. */
function storeOf(services: Dependencies): new () => FastifyRateLimitStore {
  const count = createCounter(services)
  return class Store implements FastifyRateLimitStore {
    incr(...[name, answer]: Parameters<FastifyRateLimitStore['incr']>): void {
      const [surface, address] = name.split(' ') as [RateLimitSurface, string]
      const max = services.config.options[`server.rate_limit.${surface}.max`]
      countClient({ address, max }, (key) => count(surface, key)).then(
        ({ hits, millisecondsLeft }) => answer(null, { current: hits, ttl: millisecondsLeft }),
        (error: Error) => answer(error),
      )
    }

    child(): FastifyRateLimitStore {
      return this
    }
  }
}

/** Counts in the database or in this process, as the scope of the surface requires. */
function createCounter(services: Dependencies): (surface: RateLimitSurface, key: string) => Promise<WindowCount> {
  const ownCounts = new Map<RateLimitSurface, ProcessCounts>()
  return async (surface, key) => {
    const windowSeconds = services.config.options[`server.rate_limit.${surface}.window`]
    if (RATE_LIMIT_SURFACES[surface].scope === 'shared') return countHit(services, { surface, key, windowSeconds })
    const counts = ownCounts.get(surface) ?? createProcessCounts(services, { windowSeconds })
    ownCounts.set(surface, counts)
    return counts.countHit(key)
  }
}
