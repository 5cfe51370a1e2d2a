import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { SigningServices } from '../../core/services.ts'

/** Room for 76 pages of 50 albums with their tracks, or for a thousand pages of books. */
const MAX_CHARACTERS = 16_000_000

/** `version`: the version of the catalogue and of the signed URLs at the time of the request. */
type Page = { version: string; text: string }

/** Cache of list responses as JSON text, by request key. */
export type PageCache = {
  /**
   * Returns the cached text while the catalogue is unchanged and the signed URLs in it are of the current hour; otherwise calls `make`.
   * Concurrent calls with the same key share one call of `make`. Failures are not cached.
   */
  getOrCreate: (key: string, make: () => Promise<string>) => Promise<string>
}

/** Creates a cache of at most this many characters. The least recently used page is evicted first. */
export function createPageCache(
  { catalogueCache, signer }: Pick<SigningServices, 'catalogueCache' | 'signer'>,
  maximumCharacters = MAX_CHARACTERS,
): PageCache {
  const pages = new LRUCache<string, Page>({
    maxSize: maximumCharacters,
    sizeCalculation: ({ text }, key) => key.length + text.length,
  })
  /** Pages that are being made. Their length is unknown, and there are at most as many as open requests. */
  const running = new Map<string, { version: string; text: Promise<string> }>()
  return {
    async getOrCreate(key, make) {
      // Read before the page is made, so that a change in the meantime leads to another version.
      const version = `${signer.cacheableExpiry()} ${await catalogueCache.readVersion()}`
      const cached = pages.get(key)
      if (cached?.version === version) return cached.text
      const joined = running.get(key)
      if (joined?.version === version) return joined.text
      const begun = { version, text: make() }
      running.set(key, begun)
      try {
        const text = await begun.text
        // A later request may have begun a newer version.
        if (running.get(key) === begun) pages.set(key, { version, text })
        return text
      } finally {
        if (running.get(key) === begun) running.delete(key)
      }
    },
  }
}

/** Accepts replies of any schema. The list is checked against its schema where it is made. */
type AnyReply = {
  serializeInput: (list: Record<string, unknown>, status: string) => unknown
  type: (contentType: string) => unknown
}

/**
 * Answers a list from the cache, keyed by path and query. The list must be the same for all users, or `reader` must contain the user and
 * the version of the user's own data.
 */
export async function answerPage<List extends Record<string, unknown>>(
  cache: PageCache,
  { request, reply, reader = '' }: { request: FastifyRequest; reply: AnyReply; reader?: string },
  make: () => Promise<List>,
): Promise<List> {
  const key = `${request.routeOptions.url} ${reader} ${JSON.stringify(request.query)}`
  const text = await cache.getOrCreate(key, async () => String(reply.serializeInput(await make(), '200')))
  reply.type('application/json; charset=utf-8')
  // Fastify sends a string with this content type unchanged.
  return text as unknown as List
}
