import {
  accessErrors,
  EVERYTHING,
  isUnlimited,
  ensureItemsCarryTags,
  checkAndStoreRule,
  readAccessRule,
  withoutDeletedLibraries,
  type AccessRule,
} from '../access/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { refreshPolicies } from '../profiles/index.ts'
import { writeSchedules, writeStreamLimits, type ScheduleFields, type StreamLimits } from '../playback-limits/index.ts'
import type { Account } from './account.ts'
import { lockForRoleChange } from './administer-account.ts'
import { accountErrors } from './errors.ts'
import { getAccount, type AccountReference } from './find-account.ts'
import { updateAccess } from './queries/accounts.ts'

type Dependencies = { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> }

/** The limits that change; the others stay. */
export type AccessChanges = Partial<AccessRule>

/** When and how much an account may play, and whether it may download. Absent fields are not changed; for a new account they mean no limit. */
export type PlayLimits = {
  mayDownload?: boolean | undefined
  /** Applies to all profiles of the account together. */
  streams?: Partial<StreamLimits> | undefined
  /** Replace all schedules of the account, which apply to all profiles. */
  schedules?: readonly ScheduleFields[] | undefined
}

/** Everything by which an administrator limits an account. */
type LimitChanges = PlayLimits & { changes: AccessChanges }

/** An account and what it may see. */
type AccountAccess = { account: Account; access: AccessRule }

/**
 * What an account may see.
 * @throws AppError `account_not_found`
 */
export async function readAccess({ db }: { db: Database }, reference: AccountReference): Promise<AccountAccess> {
  const account = await getAccount({ db }, reference)
  return { account, access: await readAccessRule(db, account.policyId) }
}

/** Adds its access rule to each account of a list. */
export async function addAccessRules(
  { db }: { db: Database },
  accounts: readonly Account[],
): Promise<(Account & { access: AccessRule })[]> {
  const ids = [...new Set(accounts.map(({ policyId }) => policyId))]
  const rules = new Map(await Promise.all(ids.map(async (id) => [id, await readAccessRule(db, id)] as const)))
  return accounts.map((account) => ({ ...account, access: rules.get(account.policyId) ?? EVERYTHING }))
}

/**
 * Changes what an account may see, download and play. If one change is refused, none is stored. Each process reads the policy of the account
 * at every request. Therefore the change applies from the next request. Open WebSockets are checked again immediately.
 * @throws AppError `account_not_found`, `invalid_access`, `administrator_not_limited`, `invalid_stream_limits`, `invalid_schedule`,
 * `too_many_schedules`
 */
export async function setAccess(
  { db, clock, events }: Dependencies,
  { changes, mayDownload, streams = {}, schedules, ...reference }: AccountReference & LimitChanges,
): Promise<AccountAccess & { streams: StreamLimits }> {
  const { id } = await getAccount({ db }, reference)
  await ensureItemsCarryTags({ db }, { ...EVERYTHING, ...changes })
  const now = clock.now()
  const done = await db.transaction(async (connection) => {
    const before = await lockForRoleChange(connection, id)
    const rule = await withoutDeletedLibraries(connection, await readAccessRule(connection, before.policyId))
    const access = { ...rule, ...changes }
    if (before.isAdmin && !isUnlimited(access)) {
      throw accessErrors.administrator_not_limited({
        message: `${before.username} is an administrator and sees everything`,
        hint: `phlix user:set-admin ${before.username} --remove`,
      })
    }
    const policyId = (await checkAndStoreRule(connection, access))?.id ?? null
    const after = { id, policyId, mayDownload: mayDownload ?? before.mayDownload, now }
    const account = await updateAccess(connection, after)
    if (account === undefined) throw accountErrors.account_not_found()
    await refreshPolicies(connection, id)
    const profile = { id, accountId: id }
    if (schedules !== undefined) await writeSchedules(connection, { profile, schedules, now })
    const limits = await writeStreamLimits(connection, { owner: { accountId: id }, accountId: id, changes: streams })
    return { account, access: await readAccessRule(connection, policyId), streams: limits }
  })
  events.publish('account.changed', { accountId: id })
  return done
}
