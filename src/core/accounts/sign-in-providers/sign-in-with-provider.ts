import type { Config } from '../../platform/config/index.ts'
import type { PasswordHashing } from '../../platform/credentials/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { type Account } from '../account.ts'
import { isAccountLocked, recordProviderFailure, refuseWhenProvidersLocked } from '../login-limiter.ts'
import { findAccountById } from '../queries/accounts.ts'
import { hasSessionFrom } from '../queries/sessions.ts'
import { selectLink, selectLinkedAccount, type SignInLink } from '../queries/sign-in-links.ts'
import { applyAdminRight } from './apply-admin-right.ts'
import { queryProviders, type AcceptedPerson } from './query-providers.ts'
import { createLinkedAccount } from './create-linked-account.ts'
import type { SignInProviders } from './sign-in-provider.ts'

export type ProviderSignInServices = {
  config: Config
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
      const accepted = await queryProviders({ log }, signInProviders.list(), question)
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
    const isLocked = !isOwnLock && (await isAccountLocked(needs, id))
    return isLocked ? undefined : withRight(needs, linked, person)
  }
  const newPerson = persons.find(({ provider }) => provider.mayCreateAccounts)
  if (newPerson !== undefined) {
    const created = await createLinked(needs, newPerson, name)
    return created && withRight(needs, created, newPerson)
  }
  for (const { provider } of persons) {
    log.notice({ provider: provider.name }, 'a provider accepts somebody who has no account')
  }
  return undefined
}

/** Rights of an account that cannot sign in are not changed. */
async function withRight(needs: ProviderSignInServices, linked: Linked, person: AcceptedPerson): Promise<Linked> {
  if (linked.account.status !== 'active') return linked
  return { ...linked, account: await applyAdminRight(needs, linked.account, person.isAdministrator) }
}

async function findLinked(db: Database, person: AcceptedPerson): Promise<Linked | undefined> {
  const link = linkOf(person)
  const id = await selectLinkedAccount(db, link)
  const account = id === undefined ? undefined : await findAccountById(db, id)
  return account && { account, link }
}

const linkOf = ({ provider, subject }: AcceptedPerson): SignInLink => ({ provider: provider.name, subject })

/** Creates an account if the administrator still allows it. */
async function createLinked(
  needs: ProviderSignInServices,
  person: AcceptedPerson,
  name: string,
): Promise<Linked | undefined> {
  const { db, log, signInProviders } = needs
  const { provider, username, email } = person
  const link = linkOf(person)
  const made = await createLinkedAccount(needs, {
    link,
    username: username ?? name,
    email,
    status: (await signInProviders.needsApproval()) ? 'pending' : 'active',
    // Otherwise it would have a link of a plugin that was removed while it answered.
    refusal: async (connection) =>
      (await signInProviders.lockEnabled(connection, provider.name)) ? undefined : 'it was removed or disabled',
  })
  if (!('refusal' in made)) return { account: made, link }
  // A second sign-in of the same person at the same time may have created it.
  const linked = await findLinked(db, person)
  if (linked !== undefined) return linked
  const reason = made.refusal
  log.warning({ provider: provider.name, reason }, 'no account was created for somebody whom a provider accepts')
  return undefined
}
