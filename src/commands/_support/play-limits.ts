import type { CoreServices } from '../../core/core-services.ts'
import type { Connection } from '../../core/platform/database/index.ts'
import type { StoredLimits } from '../../core/playback-limits/index.ts'
import type { Profile } from '../../core/profiles/index.ts'
import type { PlayLimitChanges } from './arguments/play-limit-flags.ts'

/** The limits of playing of an account or a profile, with its active schedules as texts. */
export type LoadedLimits = StoredLimits & { hours: readonly string[] }

/** Reads the limits of playing of accounts or of profiles; the result has those of an id. */
export async function loadPlayLimits(
  services: Pick<CoreServices, 'db'>,
  owners: { kind: 'account' | 'profile'; ids: readonly string[] },
): Promise<(id: string) => LoadedLimits> {
  const { listStoredLimits, scheduleText } = await import('../../core/playback-limits/index.ts')
  const stored = await listStoredLimits(services, owners)
  return (id) => {
    const { streams, schedules } = stored.get(id) ?? { streams: { maxStreams: null, maxKbps: null }, schedules: [] }
    const hours = schedules.filter(({ isActive }) => isActive).map((schedule) => scheduleText(schedule))
    return { streams, schedules, hours }
  }
}

/**
 * Stores the limits of playing of a profile that flags name, in the transaction that makes or changes the profile; the others stay.
 * @returns what core is to call in that transaction
 */
export async function playLimitsWriter(
  { clock }: Pick<CoreServices, 'clock'>,
  { streams, schedules }: PlayLimitChanges,
): Promise<(connection: Connection, profile: Profile) => Promise<void>> {
  const { writeSchedules, writeStreamLimits } = await import('../../core/playback-limits/index.ts')
  return async (connection, profile) => {
    const { id: profileId, accountId } = profile
    if (Object.keys(streams).length > 0) {
      await writeStreamLimits(connection, { owner: { profileId }, accountId, changes: streams })
    }
    if (schedules !== undefined) await writeSchedules(connection, { profile, schedules, now: clock.now() })
  }
}
