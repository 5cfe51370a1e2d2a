import { violatedUniqueConstraint, type Connection, type Database } from '../../platform/database/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { Account } from '../account.ts'
import { accountErrors } from '../errors.ts'
import { getNamedAccount } from '../find-account.ts'
import { lockAccountRow } from '../queries/accounts.ts'
import {
  deleteLink,
  deleteLinksOfProvider,
  lockLinkedAccounts,
  selectLink,
  upsertLink,
  type SignInLink,
} from '../queries/sign-in-links.ts'
import { revokeAccountTokenFamilies } from '../queries/sessions.ts'

const LENGTHS = { provider: 500, subject: 255 }

/**
 * Lets a person of a provider sign in to an account, in addition to its password; null ends that. When a link is removed or replaced, all
 * sessions of the account end: the person may have started them.
 * @param input.link.subject the id of the person, as the provider calls it
 * @throws AppError `account_not_found`, `validation_failed`
 */
export async function linkAccount(
  { db, clock, events }: { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> },
  { usernameOrEmail, link }: { usernameOrEmail: string; link: SignInLink | null },
): Promise<{ account: Account; isChanged: boolean }> {
  const account = await getNamedAccount({ db }, usernameOrEmail)
  if (link !== null) checkLink(link)
  const now = clock.now()
  const accountId = account.id
  const change = db.transaction(async (connection) => {
    if (!(await lockAccountRow(connection, accountId))) throw accountErrors.account_not_found()
    const before = await selectLink(connection, accountId)
    if (before?.provider === link?.provider && before?.subject === link?.subject) return false
    if (link === null) await deleteLink(connection, accountId)
    else await upsertLink(connection, { ...link, accountId, now })
    if (before !== undefined)
      await revokeAccountTokenFamilies(connection, { accountId, reason: 'provider_removed', now })
    return true
  })
  try {
    const isChanged = await change
    if (isChanged) events.publish('account.changed', { accountId })
    return { account, isChanged }
  } catch (error) {
    if (violatedUniqueConstraint(error) !== 'account_sign_in_links_subject_key') throw error
    throw accountErrors.validation_failed({ message: `${link?.subject} is linked to another account` })
  }
}

function checkLink(link: SignInLink): void {
  for (const field of ['provider', 'subject'] as const) {
    const text = link[field]
    if (text === '' || text.length > LENGTHS[field] || text.includes('\0') || !text.isWellFormed()) {
      throw accountErrors.validation_failed({ message: `${field} must be text of 1 to ${LENGTHS[field]} characters` })
    }
  }
}

/**
 * Removes the links of a provider and ends all sessions of these accounts: whoever has signed in by a provider that is removed must not
 * stay signed in. In a transaction.
 * @returns the ids of the accounts
 */
export async function removeProviderLinks(
  connection: Connection,
  { provider, now }: { provider: string; now: Date },
): Promise<readonly string[]> {
  await lockLinkedAccounts(connection, provider)
  const accountIds = await deleteLinksOfProvider(connection, provider)
  for (const accountId of accountIds)
    await revokeAccountTokenFamilies(connection, { accountId, reason: 'provider_removed', now })
  return accountIds
}
