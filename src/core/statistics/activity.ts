import type { Connection } from '../platform/database/index.ts'
import { selectActivity } from './queries/activity.ts'

/** An event in the activity list. */
export type Activity = {
  /** Unique among all activities. */
  id: string
  /** `playback.completed`, `playback.ended`, `scan.completed` and other jobs, `user.created`, `request.created`. */
  action: string
  /** The account that caused it; null: the server, or a deleted account. */
  actor: { id: string; username: string } | null
  /** The played item of a playback event. */
  mediaItemId: string | null
  /** Name of an item, a library, an account; title of a request. */
  target: string
  occurredAt: Date
}

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

/**
 * The latest events: counted plays, finished jobs, new accounts and requests; the newest first.
 * @param input.limit clamped to 1…100
 */
export async function listActivity(
  { db }: { db: Connection },
  { limit = DEFAULT_LIMIT }: { limit?: number | undefined },
): Promise<Activity[]> {
  return selectActivity(db, Math.min(Math.max(Math.trunc(limit), 1), MAX_LIMIT))
}
