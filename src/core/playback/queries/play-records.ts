import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { PlaybackState } from '../playback-session.ts'

const IsNewRow = z.strictObject({ isNew: z.boolean() })

/** Counts a play, at most one per session and item; later reports only update it. Returns whether this report completed the play. */
export async function upsertPlayRecord(
  connection: Connection,
  input: Pick<PlaybackState, 'sessionId' | 'mediaItemId' | 'startedAt' | 'durationTicks'> & {
    profileId: string
    reachedTicks: number
    isCompleted: boolean
    now: Date
  },
): Promise<boolean> {
  const now = sql.timestamp(input.now)
  return connection.oneFirst(sql.type(IsNewRow)`
    insert into playback_records as r (
      session_id, profile_id, media_item_id, started_at, counted_at, completed_at, reached_ticks, duration_ticks)
    values (${input.sessionId}, ${input.profileId}, ${input.mediaItemId}, ${sql.timestamp(input.startedAt)}, ${now},
      ${input.isCompleted ? now : null}, ${input.reachedTicks}, ${input.durationTicks})
    on conflict (session_id, media_item_id) do update set
      completed_at = coalesce(r.completed_at, excluded.completed_at),
      reached_ticks = greatest(r.reached_ticks, excluded.reached_ticks),
      duration_ticks = coalesce(excluded.duration_ticks, r.duration_ticks)
    returning coalesce(completed_at = ${now}, false) as is_new`)
}
