import { isRowId, type Connection } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { shareErrors } from './errors.ts'
import { revokeShareRow, selectShares } from './queries/shares.ts'
import type { Share } from './share.ts'

const PAGE_LINKS = 1000
const MAX_OFFSET = 1_000_000

type ListServices = { db: Connection; clock: Clock }
type Owner = { accountId?: string | undefined }

/** The links of an account, or of all, without revoked ones: those that can be opened first, then the newest first. At most 1,000 at a time. */
export async function listShares(
  { db, clock }: ListServices,
  { accountId, limit = PAGE_LINKS, offset = 0 }: Owner & { limit?: number | undefined; offset?: number | undefined },
): Promise<readonly Share[]> {
  const page = { limit: Math.min(Math.max(limit, 1), PAGE_LINKS), offset: Math.min(Math.max(offset, 0), MAX_OFFSET) }
  return selectShares(db, { accountId, now: clock.now(), ...page })
}

/** The same links without a limit of their number. */
export async function listSharesUnpaged(services: ListServices, owner: Owner): Promise<readonly Share[]> {
  const shares: Share[] = []
  for (;;) {
    const page = await listShares(services, { ...owner, offset: shares.length })
    shares.push(...page)
    if (page.length < PAGE_LINKS) return shares
  }
}

/**
 * Revokes a link: it cannot be opened any longer, and running replies to its guests end. A revocation cannot be undone.
 * @param input.accountId only a link of this account
 * @throws AppError `share_not_found`
 */
export async function revokeShare(
  services: { db: Connection; clock: Clock; log: Logger; events: Pick<EventBus, 'publish'> },
  { id, accountId }: { id: string; accountId?: string | undefined },
): Promise<void> {
  const { db, clock, log, events } = services
  const found = isRowId(id) ? await revokeShareRow(db, { id, accountId, now: clock.now() }) : undefined
  if (found === undefined) throw shareErrors.share_not_found()
  if (found.wasRevoked) return
  const { accountId: owner } = found
  log.notice({ event: 'share_revoked', accountId: owner, shareId: id }, 'a share link was revoked')
  events.publish('account.changed', { accountId: owner })
}
