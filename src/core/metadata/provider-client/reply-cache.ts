import { createHash } from 'node:crypto'
import type { Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { findReply, deleteOldReplies, upsertReply } from '../queries/replies.ts'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

/** About 100 MB: the cached fields of a film with its cast take a few kilobytes. */
const MAX_REPLIES = 20_000

/** Number of stored replies between two checks of the size. */
const REPLIES_PER_TRIM = 200

/** Cache of provider replies, kept for a day in the database, so that all processes share it. */
export type ReplyCache = {
  /**
   * The cached reply; undefined if there is none, or only one from before `notBefore`. `reply` is null for a resource that the provider
   * does not have.
   */
  find(request: string, notBefore: Date | undefined): Promise<{ reply: unknown } | undefined>
  store(request: string, reply: object | null): Promise<void>
}

/** @param input.maxReplies limit of entries; the oldest are evicted */
export function createReplyCache(input: {
  db: Database
  clock: Clock
  maxReplies?: number
  repliesPerTrim?: number
}): ReplyCache {
  const { db, clock, maxReplies = MAX_REPLIES, repliesPerTrim = REPLIES_PER_TRIM } = input
  let storedSinceTrim = 0
  const oldest = (): Date => new Date(clock.now().getTime() - DAY_MILLISECONDS)
  return {
    async find(request, notBefore) {
      const since = notBefore === undefined || notBefore < oldest() ? oldest() : notBefore
      return findReply(db, { requestHash: hashOf(request), since })
    },
    async store(request, reply) {
      await upsertReply(db, { requestHash: hashOf(request), reply, now: clock.now() })
      storedSinceTrim += 1
      if (storedSinceTrim < repliesPerTrim) return
      storedSinceTrim = 0
      await deleteOldReplies(db, { expired: oldest(), kept: maxReplies })
    },
  }
}

function hashOf(request: string): Buffer {
  return createHash('sha256').update(request).digest()
}
