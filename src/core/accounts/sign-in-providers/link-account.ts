import { uniqueViolation, type Connection, type Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { Account } from '../account.ts'
import { accountErrors } from '../errors.ts'
import { getNamedAccount } from '../find-account.ts'
import { deleteLink, deleteLinksOf, upsertLink, type SignInLink } from '../queries/sign-in-links.ts'
import { revokeFamiliesOf } from '../queries/sessions.ts'

const LENGTHS = { provider: 64, subject: 200 }

/**
 * Lets a person of a provider sign in to an account, in addition to its password; null ends that.
 * @param input.link.subject the id of the person, as the provider calls it
 * @throws AppError `account_not_found`, `validation_failed`
 */
export async function linkAccount(
  { db, clock }: { db: Database; clock: Clock },
  { usernameOrEmail, link }: { usernameOrEmail: string; link: SignInLink | null },
): Promise<{ account: Account; isChanged: boolean }> {
  const account = await getNamedAccount({ db }, usernameOrEmail)
  if (link === null) return { account, isChanged: await deleteLink(db, account.id) }
  for (const field of ['provider', 'subject'] as const) {
    const text = link[field]
    if (text === '' || text.length > LENGTHS[field] || text.includes('\0') || !text.isWellFormed()) {
      throw accountErrors.validation_failed({ message: `${field} must be text of 1 to ${LENGTHS[field]} characters` })
    }
  }
  try {
    await upsertLink(db, { ...link, accountId: account.id, now: clock.now() })
  } catch (error) {
    if (uniqueViolation(error) !== 'account_sign_in_links_subject_key') throw error
    throw accountErrors.validation_failed({ message: `${link.subject} is linked to another account` })
  }
  return { account, isChanged: true }
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
  const accountIds = await deleteLinksOf(connection, provider)
  for (const accountId of accountIds) await revokeFamiliesOf(connection, { accountId, reason: 'provider_removed', now })
  return accountIds
}
