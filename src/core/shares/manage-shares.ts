import { isId, type Connection } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { shareErrors } from './errors.ts'
import { revokeShareRow, selectShares } from './queries/shares.ts'
import type { Share } from './share.ts'

/** The links of an account, or of all, the newest first, without revoked ones; at most 1,000. */
export async function listShares(
  { db }: { db: Connection },
  { accountId }: { accountId?: string | undefined },
): Promise<readonly Share[]> {
  return selectShares(db, { accountId })
}

/**
 * Revokes a link: it opens no more, and what is being sent to its guests ends. One that is revoked stays so.
 * @param input.accountId only a link of this account
 * @throws AppError `share_not_found`
 */
export async function revokeShare(
  services: { db: Connection; clock: Clock; log: Logger; events: Pick<EventBus, 'publish'> },
  { id, accountId }: { id: string; accountId?: string | undefined },
): Promise<void> {
  const { db, clock, log, events } = services
  const found = isId(id) ? await revokeShareRow(db, { id, accountId, now: clock.now() }) : undefined
  if (found === undefined) throw shareErrors.share_not_found()
  if (found.wasRevoked) return
  const { accountId: owner } = found
  log.notice({ event: 'share_revoked', accountId: owner, shareId: id }, 'a share link was revoked')
  events.publish('account.changed', { accountId: owner })
}
