import type { FastifyRequest } from 'fastify'
import { readCatalogueVersion } from '../../core/catalogue/index.ts'
import type { SigningServices } from '../../core/services.ts'

/** 76 pages of 50 albums with their tracks, or a thousand of books. */
const MAX_CHARACTERS = 16_000_000

type Entry = { version: string; text: Promise<string>; characters: number }

/** Answers of lists as JSON text, by what was asked. */
export type PageCache = {
  /**
   * The text for a question as long as nothing has changed in the catalogue and addresses signed in this hour are handed out; otherwise
   * what `make` answers. Those who ask for the same at the same time wait for one answer. A failure is not kept.
   */
  recall: (question: string, make: () => Promise<string>) => Promise<string>
}

/** A cache of at most this many characters. The page that was asked for longest ago is dropped first. */
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
      // Before the page is made: what changes in the meantime leaves another version.
      const version = `${signer.cacheableExpiry()} ${await readCatalogueVersion({ db })}`
      const known = entries.get(question)
      if (known?.version === version) {
        // To the end: the page that was asked for longest ago is dropped first.
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

/** A placeholder for a reply of any schema here; the list is checked against the schema where it is made. */
type AnyReply = {
  serializeInput: (list: Record<string, unknown>, status: string) => unknown
  type: (contentType: string) => unknown
}

/**
 * Answers a list from the cache: the same path with the same query is the same question. The list must show the same to every user,
 * or `reader` must name the user and the version of what is theirs.
 */
export async function answerPage<List extends Record<string, unknown>>(
  cache: PageCache,
  { request, reply, reader = '' }: { request: FastifyRequest; reply: AnyReply; reader?: string },
  make: () => Promise<List>,
): Promise<List> {
  const question = `${request.routeOptions.url} ${reader} ${JSON.stringify(request.query)}`
  const text = await cache.recall(question, async () => String(reply.serializeInput(await make(), '200')))
  reply.type('application/json; charset=utf-8')
  // Fastify sends text of this type as it is.
  return text as unknown as List
}
