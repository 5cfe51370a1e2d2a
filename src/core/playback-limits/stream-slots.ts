import { LRUCache } from 'lru-cache'
import { isId, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { kbpsLeft, requireKbps, type StreamNeeds } from './bandwidth.ts'
import { playbackLimitErrors } from './errors.ts'
import {
  countStreams,
  deleteStreams,
  insertStream,
  lockStreams,
  selectPlayedItemId,
  sumOtherKbps,
  touchStream,
  updateKbps,
} from './queries/streams.ts'
import type { PlaybackLimits } from './playback-limits.ts'

/** An item that a device plays. */
export type PlayedStream = {
  limits: PlaybackLimits
  device: string
  itemId: string
  /** The database as the viewer sees it. A hidden item takes no place: whether there is one would be told. */
  seenBy: Database
  /** What it plays; absent if that is not known yet: the stream keeps what it has. */
  needs?: StreamNeeds | undefined
}

/** The places of streams and their bandwidth, which are limited for some accounts and profiles. */
export type StreamSlots = {
  /**
   * Takes a place for an item on a device, or keeps the one that it has. Versions and parts are the film. A place is free again after 30 s
   * without a use, or when the player reports its end.
   * @returns the bandwidth in kbit/s that the other streams leave to this one; null: no limit
   * @throws AppError `StreamLimitExceeded`
   */
  hold(stream: PlayedStream): Promise<number | null>
  /** Frees the places of a device. */
  release(device: string): Promise<void>
}

/** Longer than players need to ask for the next segment. */
const IDLE_MILLISECONDS = 30_000
/** A use is stored at most so often. */
const WRITE_MILLISECONDS = 5000
const MAX_REMEMBERED = 10_000

/** `left`: in kbit/s; null: no limit. */
type Taken = { left: number | null; wasOpen: boolean }

/** What was stored for a device and a file: when, in milliseconds, and with which rate. */
type Stored = { at: number; kbps: number | undefined; left: number | null }

/** Creates the places of streams. They are stored, so that the processes of one database count together. */
export function createStreamSlots({ db, clock }: { db: Database; clock: Clock }): StreamSlots {
  const stored = new LRUCache<string, Stored>({ max: MAX_REMEMBERED })

  /** @returns undefined for an item that is hidden or does not exist */
  async function take({ limits, device, itemId, seenBy, needs }: PlayedStream): Promise<Taken | undefined> {
    const played = isId(itemId) ? await selectPlayedItemId(seenBy, itemId) : undefined
    if (played === undefined) return undefined
    const { accountId, profileId, ofAccount, ofProfile } = limits
    const stream = { device, itemId: played }
    return db.transaction(async (connection) => {
      await lockStreams(connection, accountId)
      const now = clock.now()
      const isOpen = await touchStream(connection, { ...stream, now })
      const since = new Date(now.getTime() - IDLE_MILLISECONDS)
      const until = new Date(now.getTime() + IDLE_MILLISECONDS)
      const open = await countStreams(connection, { accountId, profileId, since, until })
      if (!isOpen) {
        requirePlace(open.ofAccount, ofAccount.maxStreams)
        requirePlace(open.ofProfile, ofProfile.maxStreams)
        await insertStream(connection, { ...stream, accountId, profileId, now })
      }
      const left = kbpsLeft(limits, await sumOtherKbps(connection, { ...stream, accountId, profileId }))
      if (needs !== undefined) {
        requireKbps(needs, left)
        await updateKbps(connection, { ...stream, kbps: needs.kbps })
      }
      return { left, wasOpen: isOpen }
    })
  }

  return {
    async hold(stream) {
      const { limits, device, itemId, needs } = stream
      if (!isLimited(limits)) return null
      const name = `${device} ${itemId}`
      const now = clock.monotonicMilliseconds()
      const known = stored.get(name)
      const isStored = needs === undefined || needs.kbps === known?.kbps
      if (known !== undefined && isStored && now - known.at < WRITE_MILLISECONDS) return known.left
      const taken = await take(stream)
      if (taken === undefined) return null
      const { left, wasOpen } = taken
      // A new place has no rate yet.
      stored.set(name, { at: now, kbps: needs?.kbps ?? (wasOpen ? known?.kbps : undefined), left })
      return left
    },
    async release(device) {
      for (const name of stored.keys()) if (name.startsWith(`${device} `)) stored.delete(name)
      await deleteStreams(db, device)
    },
  }
}

function isLimited({ ofAccount, ofProfile }: PlaybackLimits): boolean {
  return [ofAccount, ofProfile].some(({ maxStreams, maxKbps }) => maxStreams !== null || maxKbps !== null)
}

function requirePlace(open: number, limit: number | null): void {
  if (limit === null || open < limit) return
  throw playbackLimitErrors.too_many_streams({
    message: `${open} of ${limit} streams are in use`,
    details: { limit, running: open },
    retryAfterSeconds: IDLE_MILLISECONDS / 1000,
  })
}
