import type { Connection } from '../platform/database/index.ts'
import { accountErrors } from './errors.ts'
import { requireFullSession } from './require-full-session.ts'
import type { Session } from './session.ts'
import { findAuthenticationTime } from './queries/sessions.ts'

const RECENT_SECONDS = 600

/**
 * For what outlives a session and gives access without it: the person must have proved who they are in the last ten minutes, so that a
 * session left open, or stolen, is not enough. Keeps the session active until the transaction ends.
 * @throws AppError `recent_sign_in_required`, `session_ended`, `full_session_required`
 */
export async function requireRecentSignIn(
  connection: Connection,
  { session, now }: { session: Session; now: Date },
): Promise<void> {
  await requireFullSession(connection, session)
  if (!(await hasRecentSignIn(connection, { session, now }))) throw accountErrors.recent_sign_in_required()
}

/** Whether the person of a session proved who they are in the last ten minutes. */
export async function hasRecentSignIn(
  connection: Connection,
  { session, now }: { session: Session; now: Date },
): Promise<boolean> {
  const authenticatedAt = await findAuthenticationTime(connection, session.sessionId)
  // The absolute value: a clock that was set back does not make an old sign-in recent.
  const ageSeconds =
    authenticatedAt === undefined ? Infinity : Math.abs(now.getTime() - authenticatedAt.getTime()) / 1000
  return ageSeconds <= RECENT_SECONDS
}
