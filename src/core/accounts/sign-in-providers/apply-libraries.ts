import { findLibraryIds, readAccessRule } from '../../access/index.ts'
import { ALL_LIBRARIES } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { setAccess } from '../account-access.ts'
import type { Account } from '../account.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger; events: Pick<EventBus, 'publish'> }

/**
 * Limits an account to the libraries of its groups at the provider; other limits stay. Administrators are not limited. A name that no library has
 * gives nothing, with a warning: libraries are renamed and deleted.
 */
export async function applyLibraries(
  needs: Dependencies,
  account: Account,
  names: readonly string[] | undefined,
): Promise<Account> {
  const { db, log } = needs
  if (names === undefined || account.isAdmin) return account
  const found = names.includes(ALL_LIBRARIES) ? undefined : await findLibraryIds(db, names)
  const unknown = names.filter((name) => found !== undefined && !found.has(name))
  if (unknown.length > 0) {
    log.warning({ accountId: account.id, libraries: unknown }, 'auth.oidc.library_groups names unknown libraries')
  }
  const libraryIds = found === undefined ? null : [...new Set([...found.values()].flat())].toSorted()
  const { libraryIds: before } = await readAccessRule(db, account.policyId)
  if (JSON.stringify(before) === JSON.stringify(libraryIds)) return account
  return (await setAccess(needs, { accountId: account.id, changes: { libraryIds } })).account
}
