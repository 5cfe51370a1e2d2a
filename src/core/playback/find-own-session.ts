import { isRowId, type Connection } from '../platform/database/index.ts'
import { playbackErrors } from './errors.ts'
import { lockPlaybackSession, selectPlaybackSession, type OwnedSession } from './queries/playback-sessions.ts'

/** A session and the profile who requests it. */
export type SessionReference = { sessionId: string; profileId: string }

/**
 * The session, if it belongs to the profile.
 * @throws AppError `session_not_found` (without a query if the id is not a UUID), `not_session_owner`
 */
export async function findOwnSession(connection: Connection, address: SessionReference): Promise<OwnedSession> {
  return requireOwner(
    isRowId(address.sessionId) ? await selectPlaybackSession(connection, address.sessionId) : undefined,
    address,
  )
}

/** Like `findOwnSession`, but locks the session until the transaction ends, for a change. */
export async function lockOwnSession(connection: Connection, address: SessionReference): Promise<OwnedSession> {
  return requireOwner(
    isRowId(address.sessionId) ? await lockPlaybackSession(connection, address.sessionId) : undefined,
    address,
  )
}

function requireOwner(session: OwnedSession | undefined, { profileId }: SessionReference): OwnedSession {
  if (session === undefined) throw playbackErrors.session_not_found()
  if (session.profileId !== profileId) throw playbackErrors.not_session_owner()
  return session
}
