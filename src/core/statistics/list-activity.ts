import type { Connection } from '../platform/database/index.ts'
import type { Activity } from './activity.ts'
import { selectActivity } from './queries/activity.ts'

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
