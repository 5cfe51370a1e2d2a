import { randomUUID } from 'node:crypto'
import {
  checkAccountInput,
  generatePassword,
  hashPassword,
  type PasswordHashing,
} from '../../platform/credentials/index.ts'
import { uniqueViolation, type Connection, type Database } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { Account, AccountStatus } from '../account.ts'
import { accountErrors } from '../errors.ts'
import { insertAccount } from '../queries/accounts.ts'
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
  /** Proposals of the provider; not validated. An absent address is replaced by one that receives nothing. */
  username: unknown
  email: unknown
  status: AccountStatus
  /** In the transaction: the reason why the provider may not create accounts any more. */
  refusal?: (connection: Connection) => Promise<string | undefined>
}

/**
 * Creates an account for a person of a sign-in provider, with a random password that nobody knows. It is not an administrator.
 * @returns the account, or the reason why there is none
 */
export async function createLinkedAccount(
  { db, clock, passwordHashing, events }: Dependencies,
  { link, username, email, status, refusal }: Input,
): Promise<Account | { refusal: string }> {
  if (isReservedAddress(email)) return { refusal: 'its e-mail address is reserved for users of the hub' }
  const checked = checkAccountInput({
    username,
    email: email ?? `${randomUUID()}@sign-in.invalid`,
    password: generatePassword(),
  })
  if ('problems' in checked) return { refusal: JSON.stringify(checked.problems) }
  const passwordHash = await hashPassword(passwordHashing, checked.password)
  const now = clock.now()
  try {
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
  } catch (error) {
    const isNameTaken = error instanceof AppError && error.code === accountErrors.validation_failed.definition.code
    if (!isNameTaken && uniqueViolation(error) === undefined) throw error
    return { refusal: 'its name or e-mail address is in use' }
  }
}
