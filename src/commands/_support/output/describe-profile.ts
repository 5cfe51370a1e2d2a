import type { LimitedProfile } from '../load-profiles.ts'
import { describeLimits } from './describe-limits.ts'

/** What a profile sees and plays within the limits of its account, in words. */
export function describeProfile(one: LimitedProfile): string {
  return describeOwnLimits(one).replace(/^everything/, 'everything of the account')
}

function describeOwnLimits({ profile, ...limits }: LimitedProfile): string {
  return describeLimits({ ...limits, mayDownload: profile.mayDownload })
}

/** The profiles of an account, for texts about one of them. */
type OfAccount = { profiles: readonly LimitedProfile[]; username: string }

/**
 * A warning if people can leave the limits of a profile without a PIN or a password: they may switch from it to a profile without limits. A
 * profile for a child is never left like that. Undefined if that concerns other profiles only than the one that was changed.
 * @param changedId of the profile that was made or changed
 */
export async function describeOpenProfiles(
  { profiles, username }: OfAccount,
  changedId: string,
): Promise<string | undefined> {
  const allLimited = profiles.filter((one) => isLimited(one) && !one.profile.isKids)
  const allOpen = profiles.filter((one) => !isLimited(one) && !one.profile.hasPin)
  const isChanged = ({ profile }: LimitedProfile): boolean => profile.id === changedId
  const limited = allOpen.some(isChanged) ? allLimited : allLimited.filter(isChanged)
  const open = allOpen.some(isChanged) ? allOpen.filter(isChanged) : allOpen
  if (limited.length === 0 || open.length === 0) return undefined
  const [from, to] = [limited, open].map((list) => list.map(({ profile }) => profile.name).join(', '))
  const remedies = await Promise.all(open.map(({ profile }) => commandOf('profile:pin', username, profile.name)))
  return `Anybody can switch from ${from} to ${to} without a PIN, and so leave the limits: ${remedies.join('; ')}`
}

/** What to do after a profile was made, one line each. */
export async function describeNextSteps(
  { profile, hours }: LimitedProfile,
  { profiles, username }: OfAccount,
): Promise<string[]> {
  if (!profile.isKids) return []
  const main = profiles.find((one) => one.profile.isMain)
  const pin = await commandOf('profile:pin', username, main?.profile.name ?? username)
  const bedtime = await commandOf('profile:update', username, profile.name)
  const steps = ['To leave it, the password of the account is needed, or the PIN of the other profile.']
  if (main?.profile.hasPin === false) steps.push(`The main profile has no PIN yet: ${pin}`)
  if (hours.length === 0) steps.push(`A bedtime: ${bedtime} --schedule 'daily 07:00-19:30'`)
  return steps
}

/** Whether a profile has limits of its own. The main one has those of the account, which its profiles share. */
function isLimited(one: LimitedProfile): boolean {
  return !one.profile.isMain && (one.profile.isKids || describeOwnLimits(one) !== 'everything')
}

async function commandOf(command: string, ...names: string[]): Promise<string> {
  const { shellQuote } = await import('../../../core/doctor/index.ts')
  return ['phlix', command, ...names.map(shellQuote)].join(' ')
}
