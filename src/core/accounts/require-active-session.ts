import type { Connection } from '../platform/database/index.ts'
import { accountErrors } from './errors.ts'
import type { Session } from './session.ts'
import { lockSession } from './queries/sessions.ts'

/**
 * Prevents a session from ending before the transaction does: rows that a request writes for it exist when the session ends, and none are
 * written afterwards. For objects that outlive a session, such as passkeys: a restricted session, which has fewer rights than its account,
 * must not make or remove any.
 * @throws AppError `session_ended`
 */
export async function requireActiveSession(connection: Connection, session: Session): Promise<void> {
  if (!(await lockSession(connection, session))) throw accountErrors.session_ended()
}
