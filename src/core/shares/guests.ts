import { LRUCache } from 'lru-cache'
import { createBatchLoader, isRowId, type Database } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { findJobItemId } from '../streaming/index.ts'
import { findPlaybackLimits, type PlaybackLimits } from '../playback-limits/index.ts'
import { shareErrors } from './errors.ts'
import { createShareCookies } from './share-cookie.ts'
import { requireActiveShare } from './open-share.ts'
import { selectGuestShares } from './queries/shares.ts'
import { isSharedItem } from './queries/shared-items.ts'

/** What a request of a guest is about: the link itself, one of its items, or a stream. */
export type GuestTarget = { kind: 'link' } | { kind: 'item'; id: string } | { kind: 'job'; id: string }

/** A person without an account who has opened a link. */
export type Guest = {
  shareId: string
  /** Names the browser that has opened the link. */
  browser: string
  /** The end of the link. */
  expiresAt: Date
  /** The account that made the link. */
  accountId: string
  /** The present access policy of the profile that made the link; null: nothing is hidden from it. */
  policyId: number | null
  allowsDownload: boolean
  /** When and how much that profile may play: its guests play within the same limits. */
  limits: PlaybackLimits
}

const MAX_REMEMBERED = 1000

type GuestRequest = { shareId: string; cookie: string | undefined; target: GuestTarget }

export type Guests = {
  /** The cookie value of a browser that has opened a link. A valid earlier value is kept if it names the browser. */
  issueCookie(shareId: string, known: string | undefined): string
  /** A new value for a valid one that does not contain the id of a browser; undefined for other values. */
  renewCookie(shareId: string, known: string | undefined): string | undefined
  /** Whether a cookie value is valid for a link. */
  hasCookie(shareId: string, cookie: string | undefined): boolean
  /**
   * The guest of a request, if the link exists, its account may still share, and the requested target is part of it and visible to that
   * account now.
   * @throws AppError `share_not_open`, `share_revoked`, `share_expired`, `share_item_not_found`
   */
  admit(request: GuestRequest): Promise<Guest>
  /** The guest as `admit` would return it now; undefined for a link that has ended, and for a target that is no longer part of it. */
  find(request: GuestRequest): Promise<Guest | undefined>
}

type Dependencies = {
  db: Database
  clock: Clock
  secret: Buffer
  /** The database as the accounts of a policy see it. */
  databaseOf: (policyId: number | null) => Promise<Database>
}

/** Creates the check of guests. It runs for each of their requests, so concurrent requests share a query. */
export function createGuests({ db, clock, secret, databaseOf }: Dependencies): Guests {
  const cookies = createShareCookies({ secret })
  const read = createBatchLoader((ids: string[]) => selectGuestShares(db, ids))
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
  // Guests send a request for each segment, so the computed times of unchanged schedules are reused.
  const earlier = new LRUCache<string, PlaybackLimits>({ max: MAX_REMEMBERED })
  const readRule = createBatchLoader(async (profileIds: string[]) => {
    const found = await findPlaybackLimits(db, { profileIds, zone, earlier })
    for (const [profileId, limits] of found) earlier.set(profileId, limits)
    return found
  })

  const browserOf = (shareId: string, cookie: string | undefined): string | undefined =>
    cookie === undefined ? undefined : cookies.browserOf(cookie, shareId)

  async function admit({ shareId, cookie, target }: GuestRequest): Promise<Guest> {
    const browser = browserOf(shareId, cookie)
    if (!isRowId(shareId) || browser === undefined) throw shareErrors.share_not_open()
    const share = await read(shareId.toLowerCase())
    if (share === undefined) throw shareErrors.share_revoked()
    requireActiveShare(share, clock.now())
    const { id, accountId, policyId, expiresAt } = share
    const limits = await readRule(share.profileId)
    // The link was deleted with its profile.
    if (limits === undefined) throw shareErrors.share_revoked()
    if (target.kind !== 'link') await requirePart(await databaseOf(policyId), { shareId: id, target })
    return {
      shareId: id,
      browser,
      expiresAt,
      accountId,
      policyId,
      limits,
      allowsDownload: share.allowsDownload && share.mayDownload,
    }
  }

  return {
    issueCookie: (shareId, known) =>
      known !== undefined && browserOf(shareId, known) !== undefined && !cookies.isOld(known)
        ? known
        : cookies.issue(shareId),
    renewCookie: (shareId, known) =>
      known !== undefined && cookies.isOld(known) && browserOf(shareId, known) !== undefined
        ? cookies.issue(shareId)
        : undefined,
    hasCookie: (shareId, cookie) => browserOf(shareId, cookie) !== undefined,
    admit,
    async find(request) {
      try {
        return await admit(request)
      } catch (error) {
        // Other errors, such as a database that does not answer, do not mean that the link has ended.
        if (error instanceof AppError && ENDED.has(error.code)) return undefined
        throw error
      }
    },
  }
}

const ENDED: ReadonlySet<string> = new Set(
  [
    shareErrors.share_not_open,
    shareErrors.share_revoked,
    shareErrors.share_expired,
    shareErrors.share_item_not_found,
  ].map(({ definition }) => definition.code),
)

/** An id that is not part of the link is answered like one that does not exist. */
async function requirePart(
  db: Database,
  { shareId, target }: { shareId: string; target: Exclude<GuestTarget, { kind: 'link' }> },
): Promise<void> {
  const itemId = target.kind === 'job' ? await findJobItemId({ db }, target.id) : target.id
  const isPart = itemId !== undefined && isRowId(itemId) && (await isSharedItem(db, { shareId, itemId }))
  if (!isPart) throw shareErrors.share_item_not_found()
}
