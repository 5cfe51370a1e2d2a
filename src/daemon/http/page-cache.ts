import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { AddressGrant } from '../../core/platform/keys/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { compress, MIN_COMPRESSED_LENGTH } from './compress.ts'
import { CODINGS, negotiateCoding, type ContentCoding } from './content-coding.ts'

/** Room for 76 pages of 50 albums with their tracks, or for a thousand pages of books. */
const MAX_CHARACTERS = 16_000_000

/** A list response as JSON text, and in the codings in which it was sent: by coding, and by grant for a page with addresses of media. */
export type Page = { text: string; hasGrants: boolean; coded: Map<string, Buffer> }

/** `version`: the version of the catalogue and of the signed URLs at the time of the request. */
type CachedPage = Page & { version: string }

/** Cache of list responses, by request key. */
export type PageCache = {
  /**
   * Returns the cached page while the catalogue is unchanged and the signed URLs in it are of the current hour; otherwise calls `make`.
   * Concurrent calls with the same key share one call of `make`. Failures are not cached.
   */
  getOrCreate: (key: string, make: () => Promise<string>) => Promise<Page>
  /** The page in a coding, with the grant of a request in its addresses; cached with the page. */
  codedOf: (key: string, page: Page, wanted: { coding: ContentCoding; grant: AddressGrant | null }) => Promise<Buffer>
}

/** Creates a cache of at most this many characters and compressed bytes. The least recently used page is evicted first. */
export function createPageCache(
  { catalogueCache, signer }: Pick<SigningServices, 'catalogueCache' | 'signer'>,
  maximumCharacters = MAX_CHARACTERS,
): PageCache {
  const pages = new LRUCache<string, CachedPage>({
    maxSize: maximumCharacters,
    sizeCalculation: ({ text, coded }, key) =>
      key.length + text.length + [...coded.values()].reduce((sum, { length }) => sum + length, 0),
  })
  /** Pages that are being made. Their length is unknown, and there are at most as many as open requests. */
  const running = new Map<string, { version: string; page: Promise<CachedPage> }>()
  return {
    async getOrCreate(key, make) {
      // Read before the page is made, so that a change in the meantime leads to another version.
      const version = `${signer.hourExpiry()} ${await catalogueCache.readVersion()}`
      const cached = pages.get(key)
      if (cached?.version === version) return cached
      const joined = running.get(key)
      if (joined?.version === version) return joined.page
      const begun = {
        version,
        page: make().then((text) => ({ version, text, hasGrants: text.includes(signer.grantMark), coded: new Map() })),
      }
      running.set(key, begun)
      try {
        const page = await begun.page
        // A later request may have begun a newer version.
        if (running.get(key) === begun) pages.set(key, page)
        return page
      } finally {
        if (running.get(key) === begun) running.delete(key)
      }
    },
    async codedOf(key, page, { coding, grant }) {
      const grantText = page.hasGrants && grant !== null ? signer.grantText(grant) : undefined
      const name = `${coding} ${grantText ?? ''}`
      const known = page.coded.get(name)
      if (known !== undefined) return known
      const text = grantText === undefined ? page.text : page.text.replaceAll(signer.grantMark, grantText)
      const bytes = await compress(text, coding)
      page.coded.set(name, bytes)
      const cached = pages.peek(key)
      // A new object is measured again.
      if (cached?.coded === page.coded) pages.set(key, { ...cached })
      return bytes
    },
  }
}

/** Accepts replies of any schema. The list is checked against its schema where it is made. */
type AnyReply = {
  serializeInput: (list: Record<string, unknown>, status: string) => unknown
  type: (contentType: string) => unknown
  getHeader: FastifyReply['getHeader']
  header: (name: string, value: string) => unknown
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
  const page = await cache.getOrCreate(key, async () => String(reply.serializeInput(await make(), '200')))
  const body = await bodyOf(cache, { key, page }, { request, reply })
  reply.type('application/json; charset=utf-8')
  // Fastify sends a string with this content type, and a buffer, unchanged.
  return body as unknown as List
}

async function bodyOf(
  cache: PageCache,
  { key, page }: { key: string; page: Page },
  { request, reply }: { request: FastifyRequest; reply: AnyReply },
): Promise<string | Buffer> {
  if (page.text.length <= MIN_COMPRESSED_LENGTH) return page.text
  const coding = negotiateCoding(request, reply, CODINGS)
  if (coding === undefined) return page.text
  const bytes = await cache.codedOf(key, page, { coding, grant: request.grant })
  reply.header('content-encoding', coding)
  return bytes
}
