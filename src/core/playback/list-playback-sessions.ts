import type { Database } from '../platform/database/index.ts'
import { findOwnSession, type SessionReference } from './find-own-session.ts'
import { selectPlaybackSessions } from './queries/playback-sessions.ts'
import { selectPlaybackState } from './queries/playback-states.ts'
import type { PlaybackSession, PlaybackState } from './playback-session.ts'

const LISTED_SESSIONS = 100

/** The sessions of a profile that have not ended, the most recently used first; at most 100. */
export async function listPlaybackSessions(
  { db }: { db: Database },
  { profileId }: { profileId: string },
): Promise<PlaybackSession[]> {
  return selectPlaybackSessions(db, { profileId, limit: LISTED_SESSIONS })
}

/**
 * The playback state of the item that a session played last; undefined if there is none.
 * @throws AppError `session_not_found`, `not_session_owner`
 */
export async function getSessionProgress(
  { db }: { db: Database },
  address: SessionReference,
): Promise<PlaybackState | undefined> {
  const { lastItemId } = await findOwnSession(db, address)
  return lastItemId === null ? undefined : selectPlaybackState(db, { ...address, mediaItemId: lastItemId })
}
