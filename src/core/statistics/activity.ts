import type { Connection } from '../platform/database/index.ts'
import { selectActivity } from './queries/activity.ts'

/** Something that happened. */
export type Activity = {
  /** Of its own among all. */
  id: string
  /** `playback.completed`, `playback.ended`, `scan.completed` and other jobs, `user.created`, `request.created`. */
  action: string
  /** Who did it; null: the server, or an account that is gone. */
  actor: { id: string; username: string } | null
  /** The item of a play. */
  mediaItemId: string | null
  /** Name of an item, a library, an account; title of a request. */
  target: string
  occurredAt: Date
}

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

/**
 * What happened last: plays that counted, jobs that ended, new accounts and requests; the newest first.
 * @param input.limit clamped to 1…100
 */
export async function listActivity(
  { db }: { db: Connection },
  { limit = DEFAULT_LIMIT }: { limit?: number | undefined },
): Promise<Activity[]> {
  return selectActivity(db, Math.min(Math.max(Math.trunc(limit), 1), MAX_LIMIT))
}
