import type { Account } from '../../core/accounts/index.ts'
import type { CoreServices } from '../../core/core-services.ts'
import type { StoredLimits } from '../../core/playback-limits/index.ts'
import { loadLibraryNames } from './load-library-names.ts'
import type { ShownLimits } from './output/describe-limits.ts'
import { loadPlayLimits } from './play-limits.ts'

/** An account with everything by which an administrator limits it. */
export type LimitedAccount = ShownLimits & StoredLimits & { account: Account }

/** Adds its limits to each account; the schedules are those of its main profile. */
export async function loadLimitedAccounts(
  services: Pick<CoreServices, 'db'>,
  accounts: readonly Account[],
): Promise<readonly LimitedAccount[]> {
  const { addAccessRules } = await import('../../core/accounts/index.ts')
  const limitsOf = await loadPlayLimits(services, { kind: 'account', ids: accounts.map(({ id }) => id) })
  const libraryNames = await loadLibraryNames(services)
  const rows = await addAccessRules(services, accounts)
  return rows.map(({ access, ...account }) => {
    const { streams, schedules, hours } = limitsOf(account.id)
    return { account, access, libraryNames, mayDownload: account.mayDownload, streams, schedules, hours }
  })
}

/** The same for one account. */
export async function loadLimitedAccount(
  services: Pick<CoreServices, 'db'>,
  account: Account,
): Promise<LimitedAccount> {
  const [limited] = await loadLimitedAccounts(services, [account])
  if (limited === undefined) throw new Error('each account has limits')
  return limited
}
