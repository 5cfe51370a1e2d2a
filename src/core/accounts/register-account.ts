import {
  accessErrors,
  EVERYTHING,
  isUnlimited,
  ensureItemsCarryTags,
  checkAndStoreRule,
  type AccessRule,
} from '../access/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { violatedUniqueConstraint, type Connection, type Database } from '../platform/database/index.ts'
import {
  checkAccountInput,
  type AccountInput,
  type CheckedAccount,
  type PasswordHashing,
  hashPassword,
} from '../platform/credentials/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import { writeSchedules, writeStreamLimits } from '../playback-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { type Account } from './account.ts'
import type { Approval } from './approval.ts'
import { accountErrors } from './errors.ts'
import { requireUsableInvite } from './invites.ts'
import type { PlayLimits } from './account-access.ts'
import { insertAccount, updateAccess } from './queries/accounts.ts'
import { deleteSetupCode, hasAccounts, lockRegistrations, useInvite, type InviteState } from './queries/registration.ts'
import { authorizeRegistration, type RegistrationAttempt } from './registration-policy.ts'
import { refuseReservedAddress } from './reserved-address.ts'
import { isSetupCode } from './setup-code.ts'
import { validationFailure } from './validation-failure.ts'

type Dependencies = {
  db: Database
  clock: Clock
  passwordHashing: PasswordHashing
  /** The event bus; absent in processes that run no plugins. */
  events?: Pick<EventBus, 'publish'>
}

const NO_APPROVAL: Approval = { isNeededForInvited: false, isNeededForOthers: false }

type Registration = AccountInput & { attempt: RegistrationAttempt; approval?: Approval }

/**
 * Creates an account for a caller who may register. The first account becomes administrator. This is decided in the inserting transaction, so
 * that of several concurrent registrations exactly one creates an administrator. Later accounts are pending if approval is required, and may see
 * what their invite says. The code of an invite that cannot be used is refused even if no invite is needed, because the account would not get
 * the limits of the invite.
 * @throws AppError `setup_code_required`; `registration_closed`, for an invite with `details.reason`; `validation_failed` with `details.fields`,
 * also for names in use
 */
export async function registerAccount(
  { db, clock, passwordHashing, events }: Dependencies,
  { attempt, approval = NO_APPROVAL, ...input }: Registration,
): Promise<Account> {
  const now = clock.now()
  // Checked before hashing, so that callers without permission cannot cause hashing.
  await db.transaction((connection) => checkRegistrationAttempt(connection, attempt, now))
  refuseReservedAddress(input.email)
  const row = await prepare(passwordHashing, input)
  const insert = async (connection: Connection): Promise<Account> => {
    await lockRegistrations(connection)
    const { isFirst, invite } = await checkRegistrationAttempt(connection, attempt, now)
    const isWaiting = invite === undefined ? approval.isNeededForOthers : approval.isNeededForInvited
    const roleAndStatus = isFirst
      ? { isAdmin: true, status: 'active' as const }
      : { isAdmin: false, status: isWaiting ? ('pending' as const) : ('active' as const) }
    const policyId = invite?.policyId ?? undefined
    const account = await insertAccount(connection, { ...row, ...roleAndStatus, policyId, now })
    if (isFirst) await deleteSetupCode(connection)
    if (invite !== undefined) await useInvite(connection, { id: invite.id, accountId: account.id, now })
    return account
  }
  return publishCreation(events, await translateNameConflict(db.transaction(insert)))
}

/** Checks that the caller may register. To be called within a transaction: a usable invite is locked until the transaction ends. */
async function checkRegistrationAttempt(
  connection: Connection,
  attempt: RegistrationAttempt,
  now: Date,
): Promise<{ isFirst: boolean; invite: InviteState | undefined }> {
  const facts = {
    hasAccounts: await hasAccounts(connection),
    isSetupCodeValid: await isSetupCode(connection, attempt.setupCode),
  }
  const code = attempt.inviteCode?.trim() ?? ''
  const isInvited = code !== '' && facts.hasAccounts && attempt.mode !== 'closed'
  const invite = isInvited ? await requireInvite(connection, { code, now }) : undefined
  authorizeRegistration(attempt, { ...facts, isInviteUsable: invite !== undefined })
  return { isFirst: !facts.hasAccounts, invite }
}

/**
 * Clients know one error code for refused registrations. The details contain the code that describes the invite.
 * @throws AppError `registration_closed`
 */
async function requireInvite(connection: Connection, invite: { code: string; now: Date }): Promise<InviteState> {
  try {
    return await requireUsableInvite(connection, invite)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw accountErrors.registration_closed({ message: error.title, details: { reason: error.code }, cause: error })
  }
}

/**
 * Creates an account for the operator, without the rules of registration.
 * @param input.access what it may see; absent: everything
 * @param input.limits of playing and downloading; absent: none
 * @throws AppError `validation_failed` as above; `invalid_access`; `administrator_not_limited`; `invalid_stream_limits`; `invalid_schedule`;
 * `too_many_schedules`
 */
export async function createAccount(
  { db, clock, passwordHashing, events }: Dependencies,
  {
    isAdmin,
    access = EVERYTHING,
    limits = {},
    ...input
  }: AccountInput & { isAdmin: boolean; access?: AccessRule; limits?: PlayLimits },
): Promise<Account> {
  if (isAdmin && !isUnlimited(access))
    throw accessErrors.administrator_not_limited({ message: 'an administrator sees everything' })
  const row = await prepare(passwordHashing, input)
  await ensureItemsCarryTags({ db }, access)
  const inserting = db.transaction(async (connection) => {
    const policyId = (await checkAndStoreRule(connection, access))?.id
    const now = clock.now()
    const account = await insertAccount(connection, { ...row, isAdmin, policyId, status: 'active', now })
    return writeLimits(connection, account, { ...limits, now })
  })
  return publishCreation(events, await translateNameConflict(inserting))
}

/** Stores the limits of a new account, as a part of its transaction. */
async function writeLimits(
  connection: Connection,
  account: Account,
  { mayDownload = true, streams = {}, schedules = [], now }: PlayLimits & { now: Date },
): Promise<Account> {
  const { id, policyId } = account
  const profile = { id, accountId: id }
  if (schedules.length > 0) await writeSchedules(connection, { profile, schedules, now })
  if (Object.keys(streams).length > 0) {
    await writeStreamLimits(connection, { owner: { accountId: id }, accountId: id, changes: streams })
  }
  if (mayDownload) return account
  return (await updateAccess(connection, { id, policyId, mayDownload, now })) ?? account
}

/** Tells plugins about a new account. */
export function publishCreation(events: Dependencies['events'], account: Account): Account {
  const { id: userId, username, email } = account
  events?.publish('plugin.event', { name: 'user.created', payload: { userId, username, email } })
  return account
}

async function prepare(
  passwordHashing: PasswordHashing,
  input: AccountInput,
): Promise<Omit<CheckedAccount, 'password'> & { passwordHash: string }> {
  const checked = checkAccountInput(input)
  if ('problems' in checked) throw validationFailure(checked.problems)
  const { username, email, password } = checked
  return { username, email, passwordHash: await hashPassword(passwordHashing, password) }
}

const UNIQUE_FIELDS: Readonly<Record<string, string>> = { users_username_key: 'username', users_email_key: 'email' }

/**
 * Converts a violation of a unique name to an error that contains its field.
 * @throws AppError `validation_failed`
 */
export async function translateNameConflict<Result>(writing: Promise<Result>): Promise<Result> {
  try {
    return await writing
  } catch (error) {
    const field = UNIQUE_FIELDS[violatedUniqueConstraint(error) ?? '']
    if (field === undefined) throw error
    throw validationFailure({ [field]: 'is already in use' })
  }
}
