import { randomUUID } from 'node:crypto'
import {
  checkAccountInput,
  generatePassword,
  hashPassword,
  type PasswordHashing,
} from '../../platform/credentials/index.ts'
import { violatedUniqueConstraint, type Connection, type Database } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { Account, AccountStatus } from '../account.ts'
import { accountErrors } from '../errors.ts'
import { insertAccount, isChosenAddress } from '../queries/accounts.ts'
import { hasAccounts, lockRegistrations } from '../queries/registration.ts'
import { upsertLink, type SignInLink } from '../queries/sign-in-links.ts'
import { isReservedAddress } from '../reserved-address.ts'
import { publishCreation, translateNameConflict } from '../register-account.ts'

type Dependencies = {
  db: Database
  clock: Clock
  passwordHashing: PasswordHashing
  events?: Pick<EventBus, 'publish'>
}

type Input = {
  link: SignInLink
  /**
   * Proposals of the provider; not validated. An absent address, or the address of another account, is replaced by an address that receives
   * nothing.
   */
  username: unknown
  email: unknown
  status: AccountStatus
  /** In the transaction: the reason why the provider may no longer create accounts. */
  refusal?: (connection: Connection) => Promise<string | undefined>
}

/**
 * Creates an account for a person of a sign-in provider. Addresses are not verified, so an account with the address of the person does not
 * keep the person out. If the account was registered with that address, it may belong to the person, who links it.
 * @returns the account, or the reason why there is none
 */
export async function createLinkedAccount(needs: Dependencies, input: Input): Promise<Account | { refusal: string }> {
  if (isReservedAddress(input.email)) return { refusal: 'its e-mail address is reserved for users of the hub' }
  try {
    return await tryToCreate(needs, input)
  } catch (error) {
    const isChosen = isTaken(error, 'email') && (await isChosenAddress(needs.db, String(input.email)))
    if (!isChosen) return refusalOf(error)
  }
  try {
    return await tryToCreate(needs, { ...input, email: null })
  } catch (error) {
    return refusalOf(error)
  }
}

/** Whether another account has a name or an address. */
function isTaken(error: unknown, field: 'username' | 'email'): boolean {
  if (!(error instanceof AppError) || error.code !== accountErrors.validation_failed.definition.code) return false
  return Object.hasOwn((error.details['fields'] as object | undefined) ?? {}, field)
}

/** @throws the error, unless a name or the link is in use: then there is no account for the person */
function refusalOf(error: unknown): { refusal: string } {
  const isInUse = isTaken(error, 'username') || isTaken(error, 'email') || violatedUniqueConstraint(error) !== undefined
  if (!isInUse) throw error
  return { refusal: 'its name or e-mail address is in use' }
}

/** Creates an account with a random password that nobody knows. It is not an administrator. */
async function tryToCreate(
  { db, clock, passwordHashing, events }: Dependencies,
  { link, username, email, status, refusal }: Input,
): Promise<Account | { refusal: string }> {
  const checked = checkAccountInput({
    username,
    email: email ?? `${randomUUID()}@sign-in.invalid`,
    password: generatePassword(),
  })
  if ('problems' in checked) return { refusal: JSON.stringify(checked.problems) }
  const passwordHash = await hashPassword(passwordHashing, checked.password)
  const now = clock.now()
  const made = await translateNameConflict(
    db.transaction(async (connection) => {
      await lockRegistrations(connection)
      // The first account is the administrator, who is not created by a provider.
      if (!(await hasAccounts(connection))) return { refusal: 'the server has no administrator yet' }
      const reason = await refusal?.(connection)
      if (reason !== undefined) return { refusal: reason }
      const names = { username: checked.username, email: checked.email }
      const created = await insertAccount(connection, {
        ...names,
        passwordHash,
        hasPassword: false,
        isAdmin: false,
        status,
        now,
      })
      await upsertLink(connection, { ...link, accountId: created.id, now })
      return created
    }),
  )
  return 'refusal' in made ? made : publishCreation(events, made)
}
