import { LRUCache } from 'lru-cache'
import { isId, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { viewingErrors } from './errors.ts'
import {
  countStreams,
  deleteStreams,
  insertStream,
  lockStreams,
  selectPlayedItemId,
  touchStream,
} from './queries/streams.ts'
import type { ViewingRule } from './viewing-rule.ts'

/** The places of streams, which are limited for some accounts and profiles. */
export type StreamSlots = {
  /**
   * Takes a place for an item on a device, or keeps the one that it has. Versions and parts are the film. A place is free again after 30 s
   * without a use, or when the player reports its end.
   * @throws AppError `StreamLimitExceeded`
   */
  hold(input: { rule: ViewingRule; device: string; itemId: string }): Promise<void>
  /** Frees the places of a device. */
  release(device: string): Promise<void>
}

/** Longer than players need to ask for the next segment. */
const IDLE_MILLISECONDS = 30_000
/** A use is stored at most so often. */
const WRITE_MILLISECONDS = 5000
const MAX_REMEMBERED = 10_000

/** Creates the places of streams. They are stored, so that the processes of one database count together. */
export function createStreamSlots({ db, clock }: { db: Database; clock: Clock }): StreamSlots {
  /** When this process stored a use, by device and file, in milliseconds. */
  const storedAt = new LRUCache<string, number>({ max: MAX_REMEMBERED })

  async function take({ rule, device, itemId }: Parameters<StreamSlots['hold']>[0]): Promise<void> {
    const { accountId, profileId, ofAccount, ofProfile } = rule
    await db.transaction(async (connection) => {
      const played = await selectPlayedItemId(connection, itemId)
      if (played === undefined) return
      await lockStreams(connection, accountId)
      const now = clock.now()
      if (await touchStream(connection, { device, itemId: played, now })) return
      const since = new Date(now.getTime() - IDLE_MILLISECONDS)
      const until = new Date(now.getTime() + IDLE_MILLISECONDS)
      const open = await countStreams(connection, { accountId, profileId, since, until })
      requirePlace(open.ofAccount, ofAccount.maxStreams)
      requirePlace(open.ofProfile, ofProfile.maxStreams)
      await insertStream(connection, { device, itemId: played, accountId, profileId, now })
    })
  }

  return {
    async hold(input) {
      const { rule, device, itemId } = input
      if (rule.ofAccount.maxStreams === null && rule.ofProfile.maxStreams === null) return
      const name = `${device} ${itemId}`
      const now = clock.monotonicMilliseconds()
      const stored = storedAt.get(name)
      if ((stored !== undefined && now - stored < WRITE_MILLISECONDS) || !isId(itemId)) return
      await take(input)
      storedAt.set(name, now)
    },
    async release(device) {
      for (const name of storedAt.keys()) if (name.startsWith(`${device} `)) storedAt.delete(name)
      await deleteStreams(db, device)
    },
  }
}

function requirePlace(open: number, limit: number | null): void {
  if (limit === null || open < limit) return
  throw viewingErrors.too_many_streams({
    message: `${open} of ${limit} streams are in use`,
    details: { limit, running: open },
    retryAfterSeconds: IDLE_MILLISECONDS / 1000,
  })
}
