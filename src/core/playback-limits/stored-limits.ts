import type { Database } from '../platform/database/index.ts'
import { NO_STREAM_LIMITS, type StreamLimits } from './playback-limits.ts'
import { selectStreamLimitsOf } from './queries/limits.ts'
import { selectSchedulesOf } from './queries/schedules.ts'
import type { Schedule } from './schedule.ts'

/** When and how much an account or a profile may play, as it was set. */
export type StoredLimits = { streams: StreamLimits; schedules: readonly Schedule[] }

/**
 * The limits of accounts or of profiles, by id; each id has some. The schedules of an account are those of its main profile, which has the same id.
 */
export async function listStoredLimits(
  { db }: { db: Database },
  owners: { kind: 'account' | 'profile'; ids: readonly string[] },
): Promise<ReadonlyMap<string, StoredLimits>> {
  const [streams, schedules] = await Promise.all([selectStreamLimitsOf(db, owners), selectSchedulesOf(db, owners.ids)])
  const streamsById = new Map(streams.map(({ ownerId, ...limits }) => [ownerId, limits]))
  const schedulesById = Map.groupBy(schedules, ({ profileId }) => profileId)
  return new Map(
    owners.ids.map((id) => {
      const ofOwner = (schedulesById.get(id) ?? []).map(({ schedule }) => schedule)
      return [id, { streams: streamsById.get(id) ?? NO_STREAM_LIMITS, schedules: ofOwner }]
    }),
  )
}
