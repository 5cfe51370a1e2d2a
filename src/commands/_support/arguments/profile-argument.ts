import * as Args from '@oclif/core/args'
import type { Account } from '../../../core/accounts/index.ts'
import type { Database } from '../../../core/platform/database/index.ts'
import type { Profile } from '../../../core/profiles/index.ts'

/** Argument that identifies a profile of an account; the core ignores case. */
export const profileArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'name or id of the profile',
})

/**
 * The profile that two arguments name.
 * @throws AppError `account_not_found`, `profile_not_found`
 */
export async function findProfile(
  services: { db: Database },
  { user, profile: idOrName }: { user: string; profile: string },
): Promise<{ account: Account; profile: Profile }> {
  const { getNamedAccount } = await import('../../../core/accounts/index.ts')
  const { getNamedProfile } = await import('../../../core/profiles/index.ts')
  const account = await getNamedAccount(services, user)
  return { account, profile: await getNamedProfile(services, { accountId: account.id, idOrName }) }
}
