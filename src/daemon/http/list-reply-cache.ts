import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { AddressGrant } from '../../core/platform/keys/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { compress, MIN_COMPRESSED_LENGTH } from './compress.ts'
import { CONTENT_CODINGS, negotiateCoding, type ContentCoding } from './content-coding.ts'

/** Room for 76 replies with 50 albums and their tracks, or for a thousand replies with books. */
const MAX_CHARACTERS = 16_000_000

/** A list reply as JSON text, and in the codings in which it was sent: by coding, and by grant for a reply with URLs of media. */
export type ListReply = { text: string; hasGrants: boolean; coded: Map<string, Buffer> }

/** `version`: the version of the catalogue and of the signed URLs at the time of the request. */
type CachedListReply = ListReply & { version: string }

/** Cache of list replies, by request key. */
export type ListReplyCache = {
  /**
   * Returns the cached reply while the catalogue is unchanged and the signed URLs in it are of the current hour; otherwise calls `make`.
   * Concurrent calls with the same key share one call of `make`. Failures are not cached.
   */
  getOrCreate: (key: string, make: () => Promise<string>) => Promise<ListReply>
  /** The reply in a coding, with the grant of a request in its URLs; cached with the reply. */
  codedOf: (
    key: string,
    listReply: ListReply,
    wanted: { coding: ContentCoding; grant: AddressGrant | null },
  ) => Promise<Buffer>
}

/** Creates a cache of at most this many characters and compressed bytes. The least recently used reply is evicted first. */
export function createListReplyCache(
  { catalogueCache, signer }: Pick<SigningServices, 'catalogueCache' | 'signer'>,
  maximumCharacters = MAX_CHARACTERS,
): ListReplyCache {
  const replies = new LRUCache<string, CachedListReply>({
    maxSize: maximumCharacters,
    sizeCalculation: ({ text, coded }, key) =>
      key.length + text.length + [...coded.values()].reduce((sum, { length }) => sum + length, 0),
  })
  /** Replies that are being made. Their length is unknown, and there are at most as many as open requests. */
  const running = new Map<string, { version: string; listReply: Promise<CachedListReply> }>()
  return {
    async getOrCreate(key, make) {
      // Read before the reply is made, so that a change in the meantime leads to another version.
      const version = `${signer.hourExpiry()} ${await catalogueCache.readVersion()}`
      const cached = replies.get(key)
      if (cached?.version === version) return cached
      const joined = running.get(key)
      if (joined?.version === version) return joined.listReply
      const begun = {
        version,
        listReply: make().then((text) => ({
          version,
          text,
          hasGrants: text.includes(signer.grantMark),
          coded: new Map(),
        })),
      }
      running.set(key, begun)
      try {
        const listReply = await begun.listReply
        // A later request may have begun a newer version.
        if (running.get(key) === begun) replies.set(key, listReply)
        return listReply
      } finally {
        if (running.get(key) === begun) running.delete(key)
      }
    },
    async codedOf(key, listReply, { coding, grant }) {
      const grantText = listReply.hasGrants && grant !== null ? signer.grantText(grant) : undefined
      const name = `${coding} ${grantText ?? ''}`
      const known = listReply.coded.get(name)
      if (known !== undefined) return known
      const text = grantText === undefined ? listReply.text : listReply.text.replaceAll(signer.grantMark, grantText)
      const bytes = await compress(text, coding)
      listReply.coded.set(name, bytes)
      const cached = replies.peek(key)
      // A new object is measured again.
      if (cached?.coded === listReply.coded) replies.set(key, { ...cached })
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
export async function sendListReply<List extends Record<string, unknown>>(
  cache: ListReplyCache,
  { request, reply, reader = '' }: { request: FastifyRequest; reply: AnyReply; reader?: string },
  make: () => Promise<List>,
): Promise<List> {
  const key = `${request.routeOptions.url} ${reader} ${JSON.stringify(request.query)}`
  const listReply = await cache.getOrCreate(key, async () => String(reply.serializeInput(await make(), '200')))
  const body = await bodyOf(cache, { key, listReply }, { request, reply })
  reply.type('application/json; charset=utf-8')
  // Fastify sends a string with this content type, and a buffer, unchanged.
  return body as unknown as List
}

async function bodyOf(
  cache: ListReplyCache,
  { key, listReply }: { key: string; listReply: ListReply },
  { request, reply }: { request: FastifyRequest; reply: AnyReply },
): Promise<string | Buffer> {
  if (listReply.text.length <= MIN_COMPRESSED_LENGTH) return listReply.text
  const coding = negotiateCoding(request, reply, CONTENT_CODINGS)
  if (coding === undefined) return listReply.text
  const bytes = await cache.codedOf(key, listReply, { coding, grant: request.grant })
  reply.header('content-encoding', coding)
  return bytes
}
