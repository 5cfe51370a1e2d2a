import { isRowId, type Database } from '../platform/database/index.ts'
import { isPossibleAccountName } from '../platform/credentials/index.ts'
import { type Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { findAccountById, findAccountByName } from './queries/accounts.ts'

/** The account with this id, including disabled ones. Undefined if there is none. An id that is not a UUID causes no query. */
export async function findAccount({ db }: { db: Database }, id: string): Promise<Account | undefined> {
  return isRowId(id) ? findAccountById(db, id) : undefined
}

/** The account with this username or e-mail address, case-insensitive, including disabled ones. Undefined when there is none. */
export async function findNamedAccount(
  { db }: { db: Database },
  usernameOrEmail: string,
): Promise<Account | undefined> {
  const name = usernameOrEmail.normalize('NFC')
  return isPossibleAccountName(name) ? findAccountByName(db, name) : undefined
}

/** Identifies an account by its id, or by its username or e-mail address. */
export type AccountReference = { accountId: string } | { usernameOrEmail: string }

/**
 * Reads an account that must exist.
 * @throws AppError `account_not_found`
 */
export async function getAccount(services: { db: Database }, reference: AccountReference): Promise<Account> {
  if ('usernameOrEmail' in reference) return getNamedAccount(services, reference.usernameOrEmail)
  const account = await findAccount(services, reference.accountId)
  if (account === undefined) throw accountErrors.account_not_found()
  return account
}

/**
 * Reads an account by its name for a command.
 * @throws AppError `account_not_found`
 */
export async function getNamedAccount(services: { db: Database }, usernameOrEmail: string): Promise<Account> {
  const account = await findNamedAccount(services, usernameOrEmail)
  if (account === undefined) throw accountErrors.account_not_found({ hint: 'phlix user:list' })
  return account
}
