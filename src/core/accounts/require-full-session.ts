import type { Connection } from '../platform/database/index.ts'
import { accountErrors } from './errors.ts'
import type { Session } from './session.ts'
import { lockSession } from './queries/sessions.ts'

/**
 * Prevents a session from ending before the transaction does: rows that a request writes for it exist when the session ends, and none are
 * written afterwards. For what concerns the account beyond the session, such as passkeys and other devices: a restricted session, which has
 * fewer rights than its account, must not change it.
 * @throws AppError `session_ended`, `full_session_required`
 */
export async function requireFullSession(connection: Connection, session: Session): Promise<void> {
  const locked = await lockSession(connection, session)
  if (locked === undefined) throw accountErrors.session_ended()
  if (locked.isRestricted) throw accountErrors.full_session_required()
}
