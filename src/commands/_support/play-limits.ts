import type { CoreServices } from '../../core/core-services.ts'
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

/** Sets the limits of playing of a profile that flags name; the others stay. */
export async function applyPlayLimits(
  services: Pick<CoreServices, 'db' | 'clock' | 'events'>,
  { profile, streams, schedules }: PlayLimitChanges & { profile: Profile },
): Promise<void> {
  const { replaceSchedules, setStreamLimits } = await import('../../core/playback-limits/index.ts')
  const { id: profileId, accountId } = profile
  if (Object.keys(streams).length > 0) {
    await setStreamLimits(services, { owner: { profileId }, accountId, changes: streams })
  }
  if (schedules !== undefined) await replaceSchedules(services, { profile, schedules })
}
