import { publishAfterCommit, type PlayDependencies } from './publish-after-commit.ts'
import { lockOwnSession, type SessionReference } from './find-own-session.ts'
import { sendPlayEnded } from './plays.ts'
import { markSessionEnded } from './queries/playback-sessions.ts'
import { pausePlaybackStates } from './queries/playback-states.ts'

/**
 * Ends a session: it accepts no more reports and is not listed. Its positions stay, because players end their session on every stop, and
 * continue-watching depends on the positions.
 * @throws AppError `session_not_found` (also if it has ended), `not_session_owner`
 */
export async function endPlaybackSession(
  { db, clock, events }: PlayDependencies,
  address: SessionReference,
): Promise<void> {
  await publishAfterCommit({ db, events }, async (connection, pending) => {
    await lockOwnSession(connection, address)
    const now = clock.now()
    await sendPlayEnded(connection, { sessionId: address.sessionId, isCompleted: false, now }, pending)
    await pausePlaybackStates(connection, address.sessionId)
    await markSessionEnded(connection, { id: address.sessionId, now })
  })
}
