import type { PasswordHashing } from '../../platform/credentials/index.ts'
import { ALL_LIBRARIES, type Config } from '../../platform/config/index.ts'
import { violatedUniqueConstraint, type Database } from '../../platform/database/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { Account } from '../account.ts'
import { accountErrors } from '../errors.ts'
import { getAccount } from '../find-account.ts'
import { type LoggedIn } from '../log-in.ts'
import { findAccountById, lockAccountRow } from '../queries/accounts.ts'
import { selectLink, selectLinkedAccount, upsertLink, type SignInLink } from '../queries/sign-in-links.ts'
import { recordLogin } from '../record-login.ts'
import { requireRecentSignIn } from '../require-recent-sign-in.ts'
import type { Session } from '../session.ts'
import { applyLibraries } from './apply-libraries.ts'
import { applyAdminRight } from './apply-admin-right.ts'
import { createLinkedAccount } from './create-linked-account.ts'

export type ExternalSignInServices = {
  config: Config
  db: Database
  clock: Clock
  log: Logger
  passwordHashing: PasswordHashing
  events: Pick<EventBus, 'publish'>
}

/** A person whom a provider that the administrator trusts has authenticated. */
export type ExternalPerson = {
  link: SignInLink
  /** Proposals for a new account; not validated. An account is never found by them. */
  username: string | null
  email: string | null
  /** Undefined: the provider does not decide it. */
  isAdministrator: boolean | undefined
  /** Names or ids of the libraries that the account may see, or `*`. Undefined: the provider does not decide it. */
  libraries: readonly string[] | undefined
}

/**
 * The account of a person: the linked one, or a new one. The rights of an administrator and the libraries are set or
 * taken, and the login is recorded.
 * @throws AppError `sign_in_without_account`, `account_disabled`, `account_pending`
 */
export async function signInExternalPerson(
  needs: ExternalSignInServices,
  {
    mayCreateAccounts,
    needsApproval,
    ...person
  }: ExternalPerson & { mayCreateAccounts: boolean; needsApproval: boolean },
): Promise<LoggedIn> {
  const { db } = needs
  const { link } = person
  const found =
    (await findLinked(db, link)) ?? (mayCreateAccounts ? await create(needs, person, needsApproval) : undefined)
  if (found === undefined) {
    throw accountErrors.sign_in_without_account({
      message: 'Sign in with your password and link your account, or ask an administrator.',
      details: detailsOf(person),
    })
  }
  // First, because it refuses accounts that are not active: their rights are not changed.
  const account = await recordLogin(needs, found)
  return { ...(await applyGroups(needs, account, person)), signInLink: link }
}

/** The rights and the libraries of the groups of a person. */
async function applyGroups(
  needs: ExternalSignInServices,
  account: Account,
  { isAdministrator, libraries }: Pick<ExternalPerson, 'isAdministrator' | 'libraries'>,
): Promise<Account> {
  // An administrator is not limited: limits that the provider has set before must not keep the right away.
  const isFreed = isAdministrator === true && libraries !== undefined
  const before = isFreed ? await applyLibraries(needs, account, [ALL_LIBRARIES]) : account
  return applyLibraries(needs, await applyAdminRight(needs, before, isAdministrator), libraries)
}

/** Whom the provider has authenticated, so that the person recognises themselves before an account is linked. */
function detailsOf({ link, username, email }: Pick<ExternalPerson, 'link' | 'username' | 'email'>) {
  return { person: { subject: link.subject, username, email } }
}

async function findLinked(db: Database, link: SignInLink): Promise<Account | undefined> {
  const id = await selectLinkedAccount(db, link)
  return id === undefined ? undefined : findAccountById(db, id)
}

async function create(
  needs: ExternalSignInServices,
  { link, username, email }: ExternalPerson,
  needsApproval: boolean,
): Promise<Account> {
  const status = needsApproval ? 'pending' : 'active'
  const made = await createLinkedAccount(needs, { link, username, email, status })
  if (!('refusal' in made)) return made
  // A second sign-in of the same person at the same time may have created it.
  const account = await findLinked(needs.db, link)
  if (account !== undefined) return account
  needs.log.warning(
    { provider: link.provider, reason: made.refusal },
    'no account was created for a person of a provider',
  )
  throw accountErrors.sign_in_without_account({
    message: 'No account could be created: an account has this name or address already, or they are not allowed here.',
    details: detailsOf({ link, username, email }),
  })
}

/**
 * Links the account of a session to a person. A link to another person is not replaced: that would let whoever holds a session for a moment
 * take over the sign-in. The same holds for the sign-in of the session, which must be recent.
 * @throws AppError `session_ended`, `full_session_required`, `recent_sign_in_required`, `sign_in_link_exists`
 */
export async function linkExternalPerson(
  { db, clock }: Pick<ExternalSignInServices, 'db' | 'clock'>,
  { session, link }: { session: Session; link: SignInLink },
): Promise<Account> {
  const { accountId } = session
  const now = clock.now()
  try {
    await db.transaction(async (connection) => {
      if (!(await lockAccountRow(connection, accountId))) throw accountErrors.account_not_found()
      await requireRecentSignIn(connection, { session, now })
      const before = await selectLink(connection, accountId)
      if (before?.provider === link.provider && before.subject === link.subject) return
      if (before !== undefined) {
        throw accountErrors.sign_in_link_exists({ message: 'This account is linked to another person.' })
      }
      await upsertLink(connection, { ...link, accountId, now })
    })
  } catch (error) {
    if (violatedUniqueConstraint(error) !== 'account_sign_in_links_subject_key') throw error
    throw accountErrors.sign_in_link_exists({ message: 'This person is linked to another account.' })
  }
  return getAccount({ db }, { accountId })
}
