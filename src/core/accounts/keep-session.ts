import type { Connection } from '../platform/database/index.ts'
import { accountErrors } from './errors.ts'
import type { Session } from './find-session-account.ts'
import { lockSession } from './queries/sessions.ts'

/**
 * Makes sure that a session does not end before the transaction does: what a request writes for it is there when the session ends, and
 * nothing is written afterwards. For what outlives a session, as passkeys do.
 * @throws AppError `session_ended`
 */
export async function keepSession(connection: Connection, session: Session): Promise<void> {
  if (!(await lockSession(connection, session))) throw accountErrors.session_ended()
}
