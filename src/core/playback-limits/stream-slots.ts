import { LRUCache } from 'lru-cache'
import { Semaphore } from '../platform/concurrency/index.ts'
import { isRowId, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { computeAvailableKbps, requireBandwidth, type StreamNeeds } from './bandwidth.ts'
import { playbackLimitErrors } from './errors.ts'
import {
  countStreams,
  deleteStreams,
  insertStream,
  lockStreams,
  selectPlayedItemId,
  sumOtherKbps,
  updateStreamUseTime,
  updateKbps,
} from './queries/streams.ts'
import type { PlaybackLimits } from './playback-limits.ts'

/** An item that a device plays. */
export type PlayedStream = {
  limits: PlaybackLimits
  device: string
  itemId: string
  /** The database as the viewer sees it. A hidden item takes no place, because the reply would reveal that it exists. */
  seenBy: Database
  /** The bandwidth that it needs; absent if that is not known yet: the stream keeps its bit rate. */
  needs?: StreamNeeds | undefined
  /** Aborted when the reply that plays it is closed. Until then the stream counts with at least these needs. */
  until?: AbortSignal | undefined
  /** Whether the reply is being sent already: the stream keeps a higher rate of its other replies. */
  isBeingSent?: boolean
}

/** The places of streams and their bandwidth, which are limited for some accounts and profiles. */
export type StreamSlots = {
  /**
   * Takes a place for an item on a device, or keeps the place that it has. Versions and parts count as their film. A place is free again after
   * 30 s without a use, or when the player reports the end. A stream that needs no more than before is compared only with the streams that began
   * before it, so that after a reduction of the limits the newest streams end first.
   * @returns the bandwidth in kbit/s that the other streams leave to this one; null: no limit
   * @throws AppError `StreamLimitExceeded`
   */
  hold(stream: PlayedStream): Promise<number | null>
  /** Frees the places of a device. */
  release(device: string): Promise<void>
}

/** Longer than the pause of a player between two requests for segments. */
const IDLE_MILLISECONDS = 30_000
/** Minimum time between two stored uses of a stream. */
const WRITE_MILLISECONDS = 5000
const MAX_REMEMBERED = 10_000

/** The film that a device plays, with what was last stored for it, and the rates of its replies that are being sent. In kbit/s. */
type Place = { kbps: number; replies: Map<AbortSignal, number> }

/** What was stored for a device and a file. */
type Stored = {
  /** In milliseconds. */
  at: number
  limits: PlaybackLimits
  place: Place
  /** What the others left in kbit/s; null: no limit. */
  left: number | null
  /** Whether the rate of the stream was compared with these limits. */
  isRateChecked: boolean
}

/** Creates the places of streams. They are stored in the database, so that all processes count the same streams. */
export function createStreamSlots({ db, clock }: { db: Database; clock: Clock }): StreamSlots {
  const stored = new LRUCache<string, Stored>({ max: MAX_REMEMBERED })
  const places = new LRUCache<string, Place>({ max: MAX_REMEMBERED })
  const turns = new Map<string, Semaphore>()

  /**
   * Runs work that needs the lock of an account, one at a time. The others wait here instead of in the database, where each would hold a
   * connection.
   */
  async function inTurn<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    const turn = turns.get(accountId) ?? new Semaphore({ permits: 1 })
    turns.set(accountId, turn)
    try {
      return await turn.run(work)
    } finally {
      if (turn.isIdle) turns.delete(accountId)
    }
  }

  /** @returns undefined if it has to be stored */
  function findStored({ limits, device, itemId, needs, until, isBeingSent = false }: PlayedStream): Stored | undefined {
    const known = stored.get(nameOf(device, itemId))
    if (known === undefined || clock.monotonicMilliseconds() - known.at >= WRITE_MILLISECONDS) return undefined
    if (!haveEqualStreamLimits(known.limits, limits)) return undefined
    if (needs === undefined) return known
    const { kbps } = known.place
    if (!known.isRateChecked) return undefined
    if (isBeingSent ? kbps < needs.kbps : kbps !== needs.kbps) return undefined
    addReply(known.place, { needs, until })
    return known
  }

  /** @returns undefined for an item that is hidden or does not exist */
  async function take(stream: PlayedStream): Promise<Stored | undefined> {
    const { limits, device, seenBy, needs } = stream
    const at = clock.monotonicMilliseconds()
    const itemId = isRowId(stream.itemId) ? await selectPlayedItemId(seenBy, stream.itemId) : undefined
    if (itemId === undefined) return undefined
    const { accountId, profileId, ofAccount, ofProfile } = limits
    const played = { device, itemId }
    const place = places.get(nameOf(device, itemId)) ?? { kbps: 0, replies: new Map<AbortSignal, number>() }
    places.set(nameOf(device, itemId), place)
    const { left, kbps } = await db.transaction(async (connection) => {
      await lockStreams(connection, accountId)
      const now = clock.now()
      const before = await updateStreamUseTime(connection, { ...played, now })
      const since = new Date(now.getTime() - IDLE_MILLISECONDS)
      const until = new Date(now.getTime() + IDLE_MILLISECONDS)
      const open = await countStreams(connection, { accountId, profileId, place: before?.place, since, until })
      requirePlace(open.ofAccount, ofAccount.maxStreams)
      requirePlace(open.ofProfile, ofProfile.maxStreams)
      const row = before ?? (await insertStream(connection, { ...played, accountId, profileId, now }))
      const others = await sumOtherKbps(connection, { ...played, accountId, profileId, place: row.place })
      const left = computeAvailableKbps(limits, others)
      if (needs === undefined) return { left, kbps: row.kbps }
      const earlier = { ofAccount: others.earlierOfAccount, ofProfile: others.earlierOfProfile }
      requireBandwidth(needs, row.kbps < needs.kbps ? left : computeAvailableKbps(limits, earlier))
      const kbps = Math.max(needs.kbps, ...openRates(place))
      await updateKbps(connection, { ...played, kbps })
      return { left, kbps }
    })
    place.kbps = kbps
    addReply(place, stream)
    const last = stored.get(nameOf(device, stream.itemId))
    const wasChecked = last?.isRateChecked === true && haveEqualStreamLimits(last.limits, limits)
    return { at, limits, place, left, isRateChecked: needs !== undefined || wasChecked }
  }

  return {
    async hold(stream) {
      const { limits, device, itemId } = stream
      if (!isLimited(limits)) return null
      const known = findStored(stream)
      if (known !== undefined) return known.left
      return inTurn(limits.accountId, async () => {
        // A request that ran before may have stored the same stream.
        const found = findStored(stream) ?? (await take(stream))
        if (found === undefined) return null
        stored.set(nameOf(device, itemId), found)
        return found.left
      })
    },
    async release(device) {
      for (const cache of [stored, places]) {
        for (const name of cache.keys()) if (name.startsWith(`${device} `)) cache.delete(name)
      }
      await deleteStreams(db, device)
    },
  }
}

function nameOf(device: string, itemId: string): string {
  return `${device} ${itemId}`
}

function addReply({ replies }: Place, { needs, until }: Pick<PlayedStream, 'needs' | 'until'>): void {
  if (needs !== undefined && until?.aborted === false) replies.set(until, needs.kbps)
}

/** The rates of the replies that are not closed. */
function openRates({ replies }: Place): number[] {
  for (const until of replies.keys()) if (until.aborted) replies.delete(until)
  return [...replies.values()]
}

function haveEqualStreamLimits(some: PlaybackLimits, others: PlaybackLimits): boolean {
  return (['ofAccount', 'ofProfile'] as const).every(
    (owner) => some[owner].maxStreams === others[owner].maxStreams && some[owner].maxKbps === others[owner].maxKbps,
  )
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
