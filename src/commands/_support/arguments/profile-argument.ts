import * as Args from '@oclif/core/args'
import type { Account } from '../../../core/accounts/index.ts'
import type { Database } from '../../../core/platform/database/index.ts'
import { AppError } from '../../../core/platform/errors/index.ts'
import type { Profile } from '../../../core/profiles/index.ts'
import { listNames } from './find-named.ts'

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
  const account = await getNamedAccount(services, user)
  return { account, profile: await findProfileOf(services, { account, idOrName }) }
}

/**
 * A profile of an account by its id or name.
 * @throws AppError `profile_not_found` with the names that exist
 */
export async function findProfileOf(
  services: { db: Database },
  { account, idOrName }: { account: Account; idOrName: string },
): Promise<Profile> {
  const { getNamedProfile, listProfiles, profileErrors } = await import('../../../core/profiles/index.ts')
  const accountId = account.id
  try {
    return await getNamedProfile(services, { accountId, idOrName })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'profile_not_found') throw error
    const names = listNames(await listProfiles(services, { accountId }), { kind: 'profiles' })
    throw profileErrors.profile_not_found({
      message: `${account.username} has no profile ${JSON.stringify(idOrName.slice(0, 100))}`,
      hint: `${names}phlix profile:list ${account.username}`,
    })
  }
}
