import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { deleteEmptySessions, insertPlaybackSession, lockOldSessions } from './queries/playback-sessions.ts'
import { deleteSupersededPlaybackStates } from './queries/playback-states.ts'
import type { PlaybackSession } from './playback-session.ts'

/** Retention of sessions per profile. An older session only stays while it holds the newest position of an item. */
const MAX_SESSIONS = 200
const RETENTION_MILLISECONDS = 90 * 24 * 3600 * 1000

/**
 * Starts a session of a profile and returns its id. For old sessions (not among the profile's newest 200, or unused for 90 days) the states
 * superseded by newer ones are deleted, and then the sessions without states.
 */
export async function startPlaybackSession(
  { db, clock }: { db: Database; clock: Clock },
  input: Pick<PlaybackSession, 'deviceId' | 'deviceName' | 'deviceType'> & { profileId: string },
): Promise<{ id: string }> {
  const { profileId } = input
  const now = clock.now()
  return db.transaction(async (connection) => {
    const before = new Date(now.getTime() - RETENTION_MILLISECONDS)
    const sessionIds = await lockOldSessions(connection, { profileId, keep: MAX_SESSIONS, before })
    if (sessionIds.length > 0) {
      await deleteSupersededPlaybackStates(connection, { profileId, sessionIds })
      await deleteEmptySessions(connection, sessionIds)
    }
    return { id: await insertPlaybackSession(connection, { ...input, now }) }
  })
}
