import { randomUUID } from 'node:crypto'
import {
  checkAccountInput,
  generatePassword,
  hashPassword,
  type PasswordHashing,
} from '../../platform/credentials/index.ts'
import { uniqueViolation, type Database } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { type Account } from '../account.ts'
import { accountErrors } from '../errors.ts'
import { isAccountLocked, recordProviderFailure, refuseWhenProvidersLocked } from '../login-limiter.ts'
import { findAccountById, insertAccount } from '../queries/accounts.ts'
import { hasAccounts, lockRegistrations } from '../queries/registration.ts'
import { hasSessionFrom } from '../queries/sessions.ts'
import { selectLink, selectLinkedAccount, upsertLink, type SignInLink } from '../queries/sign-in-links.ts'
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
  /** Whether the account has a session from this client. */
  isKnownDevice: boolean
  client: string
  signal: AbortSignal | undefined
}

/** An account, and the link by which somebody has signed in to it. */
type Linked = { account: Account; link: SignInLink }

/**
 * The account of a person whom an enabled provider accepts: the linked one, or a new one if the administrator has allowed that in the
 * settings of the plugin. Never an account without a link. Its status is not checked. A locked account cannot be reached by another name
 * either, because a service may accept many spellings of one name.
 * @returns undefined if no provider accepts, or there is no account for the person
 * @throws AppError `sign_in_provider_unavailable`, `sign_in_busy`, `login_abandoned`, `rate_limited`
 */
export async function signInWithProvider(
  needs: ProviderSignInServices,
  { name, password, accountId, isKnown, isKnownDevice, client, signal }: ProviderSignIn,
): Promise<Linked | undefined> {
  const { db, log, signInProviders } = needs
  const persons = await signInProviders.queue(
    async () => {
      await refuseWhenProvidersLocked(needs, { isKnownDevice })
      const link = await selectLink(db, accountId)
      const decoyName = signInProviders.decoyNameOf(name)
      const question = { username: name, password, link, isKnown, decoyName }
      const accepted = await askProviders({ log }, signInProviders.list(), question)
      if (accepted.length === 0) await recordProviderFailure(needs)
      return accepted
    },
    { client, signal },
  )
  for (const person of persons) {
    const linked = await findLinked(db, person)
    if (linked === undefined) continue
    const { id } = linked.account
    const isOwnLock = id === accountId || (await hasSessionFrom(db, { accountId: id, clientKey: client }))
    return isOwnLock || !(await isAccountLocked(needs, id)) ? linked : undefined
  }
  const newPerson = persons.find(({ provider }) => provider.mayCreateAccounts)
  if (newPerson !== undefined) return createLinked(needs, newPerson, name)
  for (const { provider } of persons) {
    log.notice({ provider: provider.name }, 'a provider accepts somebody who has no account')
  }
  return undefined
}

async function findLinked(db: Database, person: AcceptedPerson): Promise<Linked | undefined> {
  const link = linkOf(person)
  const id = await selectLinkedAccount(db, link)
  const account = id === undefined ? undefined : await findAccountById(db, id)
  return account && { account, link }
}

const linkOf = ({ provider, subject }: AcceptedPerson): SignInLink => ({ provider: provider.name, subject })

/** Creates an account with a random password that nobody knows; it is not an administrator. */
async function createLinked(
  { db, clock, log, passwordHashing, signInProviders, events }: ProviderSignInServices,
  person: AcceptedPerson,
  name: string,
): Promise<Linked | undefined> {
  const { provider, username, email } = person
  const link = linkOf(person)
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
        if (!(await hasAccounts(connection))) return 'the server has no administrator yet'
        // Otherwise it would have a link of a plugin that was removed while it answered.
        if (!(await signInProviders.lockEnabled(connection, provider.name))) return 'it was removed or disabled'
        const row = {
          username: checked.username,
          email: checked.email,
          passwordHash,
          isAdmin: false,
          status,
          now,
        } as const
        const created = await insertAccount(connection, row)
        await upsertLink(connection, { ...link, accountId: created.id, now })
        return created
      }),
    )
    return typeof account === 'string' ? refuse(account) : { account: publishCreation(events, account), link }
  } catch (error) {
    const isNameTaken = error instanceof AppError && error.code === accountErrors.validation_failed.definition.code
    if (!isNameTaken && uniqueViolation(error) === undefined) throw error
    // A second sign-in of the same person at the same time may have created it.
    return (await findLinked(db, person)) ?? refuse('its name or e-mail address is in use')
  }
}
