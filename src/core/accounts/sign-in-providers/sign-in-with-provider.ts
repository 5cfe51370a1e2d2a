import { randomUUID } from 'node:crypto'
import { uniqueViolation, type Database } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { checkAccountInput, type Account } from '../account.ts'
import { accountErrors } from '../errors.ts'
import { generatePassword, hashPassword } from '../password.ts'
import type { PasswordHashing } from '../password-hashing.ts'
import { findAccountById, insertAccount } from '../queries/accounts.ts'
import { hasAccounts, lockRegistrations } from '../queries/registration.ts'
import { selectLink, selectLinkedAccount, upsertLink } from '../queries/sign-in-links.ts'
import { publishCreation, translateNameConflict } from '../register-account.ts'
import { askProviders, type AcceptedPerson } from './ask-providers.ts'
import type { SignInProviders } from './sign-in-provider.ts'

export type ProviderSignInServices = {
  db: Database
  clock: Clock
  log: Logger
  passwordHashing: PasswordHashing
  signInProviders: SignInProviders
  events?: Pick<EventBus, 'publish'>
}

export type ProviderSignIn = {
  /** Normalised to NFC. */
  name: string
  password: string
  /** The account with this name, or an id that no account has. */
  accountId: string
  isKnown: boolean
  client: string
  signal: AbortSignal | undefined
}

/**
 * The account of a person whom an enabled provider accepts: the linked one, or a new one if the administrator has allowed that in the
 * settings of the plugin. Never an account without a link. Its status is not checked.
 * @returns undefined if no provider accepts, or there is no account for the person
 * @throws AppError `sign_in_provider_unavailable`, `sign_in_busy`, `login_abandoned`
 */
export async function signInWithProvider(
  needs: ProviderSignInServices,
  { name, password, accountId, isKnown, client, signal }: ProviderSignIn,
): Promise<Account | undefined> {
  const { db, log, signInProviders } = needs
  const person = await signInProviders.queue(
    async () => {
      const link = await selectLink(db, accountId)
      return askProviders({ log }, signInProviders.list(), { username: name, password, link, isKnown })
    },
    { client, signal },
  )
  if (person === undefined) return undefined
  const linked = await findLinked(db, person)
  if (linked !== undefined) return linked
  if (person.provider.mayCreateAccounts) return createLinked(needs, person, name)
  log.notice({ provider: person.provider.name }, 'a provider accepts somebody who has no account')
  return undefined
}

async function findLinked(
  db: Database,
  { provider, subject }: Pick<AcceptedPerson, 'provider' | 'subject'>,
): Promise<Account | undefined> {
  const id = await selectLinkedAccount(db, { provider: provider.name, subject })
  return id === undefined ? undefined : findAccountById(db, id)
}

/** Creates an account that has no password which anybody knows, and is no administrator. */
async function createLinked(
  { db, clock, log, passwordHashing, signInProviders, events }: ProviderSignInServices,
  person: AcceptedPerson,
  name: string,
): Promise<Account | undefined> {
  const { provider, subject, username, email } = person
  const checked = checkAccountInput({
    username: username ?? name,
    email: email ?? `${randomUUID()}@sign-in.invalid`,
    password: generatePassword(),
  })
  const refuse = (reason: string): undefined => {
    log.warning({ provider: provider.name, reason }, 'no account was created for somebody whom a provider accepts')
  }
  if ('problems' in checked) return refuse(JSON.stringify(checked.problems))
  const passwordHash = await hashPassword(passwordHashing, checked.password)
  const status = (await signInProviders.needsApproval()) ? 'pending' : 'active'
  const now = clock.now()
  try {
    const account = await translateNameConflict(
      db.transaction(async (connection) => {
        await lockRegistrations(connection)
        // The first account is the administrator, who is not created by a plugin.
        if (!(await hasAccounts(connection))) return undefined
        const row = {
          username: checked.username,
          email: checked.email,
          passwordHash,
          isAdmin: false,
          status,
          now,
        } as const
        const created = await insertAccount(connection, row)
        await upsertLink(connection, { accountId: created.id, provider: provider.name, subject, now })
        return created
      }),
    )
    return account === undefined ? refuse('the server has no administrator yet') : publishCreation(events, account)
  } catch (error) {
    const isNameTaken = error instanceof AppError && error.code === accountErrors.validation_failed.definition.code
    if (!isNameTaken && uniqueViolation(error) === undefined) throw error
    // A second sign-in of the same person at the same time may have created it.
    return (await findLinked(db, person)) ?? refuse('its name or e-mail address is in use')
  }
}
