import type { CoreServices } from '../../core/core-services.ts'
import type { Profile, RankedLimits } from '../../core/profiles/index.ts'
import { loadLibraryNames, type LibraryNames } from './load-library-names.ts'
import { loadPlayLimits, type LoadedLimits } from './play-limits.ts'

/** A profile with everything by which it is limited itself. */
export type LimitedProfile = LoadedLimits & { profile: Profile; access: RankedLimits; libraryNames: LibraryNames }

/** The profiles of an account with their limits, the main one first. */
export async function loadProfiles(
  services: Pick<CoreServices, 'db'>,
  { accountId }: { accountId: string },
): Promise<readonly LimitedProfile[]> {
  const { listProfiles, readProfileLimits } = await import('../../core/profiles/index.ts')
  const profiles = await listProfiles(services, { accountId })
  const limitsOf = await loadPlayLimits(services, { kind: 'profile', ids: profiles.map(({ id }) => id) })
  const libraryNames = await loadLibraryNames(services)
  return Promise.all(
    profiles.map(async (profile) => {
      const { streams, schedules, hours } = limitsOf(profile.id)
      return { profile, access: await readProfileLimits(services, profile), libraryNames, streams, schedules, hours }
    }),
  )
}

/** One of these profiles. */
export function findLoaded(profiles: readonly LimitedProfile[], { id }: Pick<Profile, 'id'>): LimitedProfile {
  const found = profiles.find(({ profile }) => profile.id === id)
  if (found === undefined) throw new Error('the profile was deleted at the same time')
  return found
}
