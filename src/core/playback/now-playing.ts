import { findItems, type MediaItem } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { selectPlayingSessions } from './queries/playing-sessions.ts'
import type { PlaybackState } from './playback-session.ts'

/** An active player. */
export type NowPlaying = {
  item: MediaItem
  account: { id: string; username: string }
  /** The name of the profile; null: the main profile. */
  profileName: string | null
  device: { name: string | null; type: string | null }
  state: PlaybackState
}

/** Players report every 10 to 15 s. A player without a report for this time counts as inactive. */
const ACTIVE_WITHIN_MILLISECONDS = 120_000

const LISTED_PLAYERS = 100

/** The items that all users are playing or have paused, the newest report first; at most 100. Only for administrators. */
export async function listNowPlaying({ db, clock }: { db: Database; clock: Clock }): Promise<NowPlaying[]> {
  const since = new Date(clock.now().getTime() - ACTIVE_WITHIN_MILLISECONDS)
  const rows = await selectPlayingSessions(db, { since, limit: LISTED_PLAYERS })
  const items = await findItems({ db }, [...new Set(rows.map(({ mediaItemId }) => mediaItemId))])
  const itemOf = new Map(items.map((item) => [item.id, item]))
  return rows.flatMap(({ accountId, username, profileName, deviceName, deviceType, ...state }) => {
    const item = itemOf.get(state.mediaItemId)
    const device = { name: deviceName, type: deviceType }
    return item === undefined ? [] : [{ item, account: { id: accountId, username }, profileName, device, state }]
  })
}
