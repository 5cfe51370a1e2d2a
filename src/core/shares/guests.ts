import { createBatchLoader, isId, type Database } from '../platform/database/index.ts'
import { mayDownload } from '../accounts/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { findJobItemId } from '../streaming/index.ts'
import { shareErrors } from './errors.ts'
import { createGuestPasses } from './guest-pass.ts'
import { requireLiving } from './open-share.ts'
import { selectGuestShares } from './queries/shares.ts'
import { isSharedItem } from './queries/shared-items.ts'

/** What a request of a guest is about: the link itself, one of its items, or a stream. */
export type GuestTarget = { kind: 'link' } | { kind: 'item'; id: string } | { kind: 'job'; id: string }

/** Somebody without an account who has opened a link. */
export type Guest = {
  shareId: string
  /** The account that made the link. */
  accountId: string
  /** The present access policy of that account; null: nothing is hidden from it. */
  policyId: number | null
  allowsDownload: boolean
}

type Asking = { shareId: string; pass: string | undefined; target: GuestTarget }

export type Guests = {
  /** The pass of a browser that has opened a link. */
  issuePass(shareId: string): string
  /** Whether a browser has a pass for a link. */
  hasPass(shareId: string, pass: string | undefined): boolean
  /**
   * The guest of a request, if the link exists, its account may still share, and what is asked for is part of it and visible to that account now.
   * @throws AppError `share_not_open`, `share_revoked`, `share_expired`, `share_item_not_found`
   */
  admit(asking: Asking): Promise<Guest>
  /** Whether the guest would be admitted now. */
  mayContinue(asking: Asking): Promise<boolean>
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
  const passes = createGuestPasses({ secret })
  const read = createBatchLoader((ids: string[]) => selectGuestShares(db, ids))

  const hasPass = (shareId: string, pass: string | undefined): boolean =>
    pass !== undefined && passes.isValid(pass, shareId)

  async function admit({ shareId, pass, target }: Asking): Promise<Guest> {
    if (!isId(shareId) || !hasPass(shareId, pass)) throw shareErrors.share_not_open()
    const share = await read(shareId.toLowerCase())
    if (share === undefined) throw shareErrors.share_revoked()
    requireLiving(share, clock.now())
    const { id, accountId, policyId } = share
    if (target.kind !== 'link') await requirePart(await databaseOf(policyId), { shareId: id, target })
    return { shareId: id, accountId, policyId, allowsDownload: share.allowsDownload && mayDownload(share) }
  }

  return {
    issuePass: (shareId) => passes.issue(shareId),
    hasPass,
    admit,
    async mayContinue(asking) {
      try {
        await admit(asking)
        return true
      } catch (error) {
        // If the database does not answer, nothing is known.
        if (error instanceof AppError && ENDED.has(error.code)) return false
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
  const isPart = itemId !== undefined && isId(itemId) && (await isSharedItem(db, { shareId, itemId }))
  if (!isPart) throw shareErrors.share_item_not_found()
}
