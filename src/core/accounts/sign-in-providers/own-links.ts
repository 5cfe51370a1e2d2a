import type { Config } from '../../platform/config/index.ts'
import type { Connection, Database } from '../../platform/database/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { accountErrors } from '../errors.ts'
import { removeSignInWay } from '../remove-sign-in-way.ts'
import { revokeSessionRows } from '../queries/devices.ts'
import { deleteLink, selectLinkedIdentity, type LinkedIdentity } from '../queries/sign-in-links.ts'
import { requireRecentSignIn } from '../require-recent-sign-in.ts'
import type { Session } from '../session.ts'

/** The links of an account to persons of sign-in providers: one or none. */
export async function listSignInLinks(
  { db }: { db: Connection },
  { accountId }: { accountId: string },
): Promise<readonly LinkedIdentity[]> {
  const link = await selectLinkedIdentity(db, accountId)
  return link === undefined ? [] : [link]
}

/**
 * Removes the link of the account of a session. Its other sessions end, because the person may have started them.
 * @throws AppError `sign_in_link_not_found`, `last_sign_in_way`, `recent_sign_in_required`, `session_ended`, `full_session_required`
 */
export async function removeOwnLink(
  { db, clock, config, events }: { db: Database; clock: Clock; config: Config; events: Pick<EventBus, 'publish'> },
  session: Session,
): Promise<void> {
  const { accountId, sessionId } = session
  const now = clock.now()
  await db.transaction(async (connection) => {
    await removeSignInWay({ config, connection, accountId }, async () => {
      await requireRecentSignIn(connection, { session, now })
      if ((await selectLinkedIdentity(connection, accountId)) === undefined)
        throw accountErrors.sign_in_link_not_found()
      await deleteLink(connection, accountId)
    })
    await revokeSessionRows(connection, { accountId, exceptSessionId: sessionId, now })
  })
  events.publish('account.changed', { accountId })
}
