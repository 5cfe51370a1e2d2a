import type { FastifyRequest } from 'fastify'
import { readCatalogueVersion } from '../../core/catalogue/index.ts'
import type { SigningServices } from '../../core/services.ts'

/** Room for 76 pages of 50 albums with their tracks, or for a thousand pages of books. */
const MAX_CHARACTERS = 16_000_000

type Entry = { version: string; text: Promise<string>; characters: number }

/** Cache of list responses as JSON text, by request key. */
export type PageCache = {
  /**
   * Returns the cached text while the catalogue is unchanged and the signed URLs in it are of the current hour; otherwise calls `make`.
   * Concurrent calls with the same key share one call of `make`. Failures are not cached.
   */
  recall: (question: string, make: () => Promise<string>) => Promise<string>
}

/** Creates a cache of at most this many characters. The least recently used page is evicted first. */
export function createPageCache(
  { db, signer }: Pick<SigningServices, 'db' | 'signer'>,
  maximumCharacters = MAX_CHARACTERS,
): PageCache {
  const entries = new Map<string, Entry>()
  let characters = 0
  const drop = (question: string): void => {
    characters -= entries.get(question)?.characters ?? 0
    entries.delete(question)
  }
  return {
    async recall(question, make) {
      // Read before the page is made, so that a change in the meantime leads to another version.
      const version = `${signer.steadyExpiry()} ${await readCatalogueVersion({ db })}`
      const known = entries.get(question)
      if (known?.version === version) {
        // Moved to the end: the least recently used page is evicted first.
        entries.delete(question)
        entries.set(question, known)
        return known.text
      }
      drop(question)
      const entry: Entry = { version, text: make(), characters: 0 }
      entries.set(question, entry)
      try {
        const text = await entry.text
        if (entries.get(question) !== entry) return text
        entry.characters = question.length + text.length
        characters += entry.characters
        for (const oldest of entries.keys()) {
          if (characters <= maximumCharacters) break
          drop(oldest)
        }
        return text
      } catch (error) {
        if (entries.get(question) === entry) drop(question)
        throw error
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
  const question = `${request.routeOptions.url} ${reader} ${JSON.stringify(request.query)}`
  const text = await cache.recall(question, async () => String(reply.serializeInput(await make(), '200')))
  reply.type('application/json; charset=utf-8')
  // Fastify sends a string with this content type unchanged.
  return text as unknown as List
}
