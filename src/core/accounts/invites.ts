import { createHash, randomBytes } from 'node:crypto'
import {
  EVERYTHING,
  ensureItemsCarryTags,
  checkAndStoreRule,
  readAccessRule,
  type AccessRule,
} from '../access/index.ts'
import { isRowId, type Connection, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Invite, StoredInvite } from './invite.ts'
import { accountErrors } from './errors.ts'
import {
  deleteRevokedInvites,
  insertInvite,
  lockInvite,
  markInviteRevoked,
  selectInvites,
  type InviteState,
} from './queries/registration.ts'
import { requireOpenMode, type RegistrationMode } from './registration-policy.ts'
import { validationFailure } from './validation-failure.ts'

type Dependencies = { db: Database; clock: Clock }

const CODE_BYTES = 24
const MAX_CODE_LENGTH = 200
const MAX_USES = 1000
const DAY_MILLISECONDS = 86_400_000
const MAX_LIFETIME_MILLISECONDS = 365 * DAY_MILLISECONDS
/** How long revoked invites are kept, so that people see why an invite does not work. */
const KEPT_DAYS = 30

/** What an administrator decides about an invite. */
export type NewInvite = {
  expiresAt: Date
  /** What the invited accounts may see; absent: everything. */
  access?: AccessRule
  /** How many accounts may be created, 1 to 1,000; default: one. */
  maxUses?: number
}

/**
 * Creates an invite.
 * @returns the invite and its code, 192 bits, which is not stored
 * @throws AppError `validation_failed`, `invalid_access`
 */
export async function createInvite(
  { db, clock }: Dependencies,
  { expiresAt, access = EVERYTHING, maxUses = 1 }: NewInvite,
): Promise<{ invite: Invite; code: string }> {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const now = clock.now()
  checkInvite({ expiresAt, maxUses, now })
  await ensureItemsCarryTags({ db }, access)
  const stored = await db.transaction(async (connection) => {
    await deleteRevokedInvites(connection, new Date(now.getTime() - KEPT_DAYS * DAY_MILLISECONDS))
    const policyId = (await checkAndStoreRule(connection, access))?.id ?? null
    return insertInvite(connection, { digest: digestOf(code), now, expiresAt, policyId, maxUses })
  })
  return { invite: await withRule(db, stored), code }
}

function checkInvite({ expiresAt, maxUses, now }: { expiresAt: Date; maxUses: number; now: Date }): void {
  const lifetime = expiresAt.getTime() - now.getTime()
  const problems = {
    ...(lifetime > 0 && lifetime <= MAX_LIFETIME_MILLISECONDS
      ? {}
      : { expires_at: 'must be a time of the next 365 days' }),
    ...(Number.isInteger(maxUses) && maxUses >= 1 && maxUses <= MAX_USES
      ? {}
      : { max_uses: `must be a whole number from 1 to ${MAX_USES}` }),
  }
  if (Object.keys(problems).length > 0) throw validationFailure(problems)
}

/** The invites that are not revoked, newest first, including used and expired ones. */
export async function listInvites({ db }: Pick<Dependencies, 'db'>): Promise<readonly Invite[]> {
  return Promise.all((await selectInvites(db)).map((stored) => withRule(db, stored)))
}

async function withRule(connection: Connection, { policyId, ...invite }: StoredInvite): Promise<Invite> {
  return { ...invite, access: await readAccessRule(connection, policyId) }
}

/**
 * Revokes an invite; an account that was created with it remains.
 * @throws AppError `invite_not_found`, also for an invite that is revoked already
 */
export async function revokeInvite({ db, clock }: Dependencies, { id }: { id: string }): Promise<void> {
  const isRevoked = isRowId(id) && (await markInviteRevoked(db, { id, now: clock.now() }))
  if (!isRevoked) throw accountErrors.invite_not_found()
}

/** The facts about an invite that a person with its code gets. */
export type InviteSummary = { expiresAt: Date }

/**
 * Tells a person whether an invite can be used, before the form of a new account is filled in.
 * @throws AppError `registration_closed` if no invite can be used now; as `requireUsableInvite`
 */
export async function describeInvite(
  { db, clock }: Dependencies,
  { code, mode }: { code: string; mode: RegistrationMode },
): Promise<InviteSummary> {
  requireOpenMode(mode)
  const { expiresAt } = await requireUsableInvite(db, { code, now: clock.now() })
  return { expiresAt }
}

/**
 * The invite with this code, if it permits one more registration. It is locked until the transaction ends.
 * @throws AppError `invite_unknown`, `invite_revoked`, `invite_used`, `invite_expired`
 */
export async function requireUsableInvite(
  connection: Connection,
  { code, now }: { code: string; now: Date },
): Promise<InviteState> {
  const invite = code.length > MAX_CODE_LENGTH ? undefined : await lockInvite(connection, digestOf(code.trim()))
  if (invite === undefined) throw accountErrors.invite_unknown()
  if (invite.revokedAt !== null) throw accountErrors.invite_revoked()
  if (invite.isUsedUp) throw accountErrors.invite_used()
  if (invite.expiresAt <= now) throw accountErrors.invite_expired()
  return invite
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/**
 * The address at which people register with an invite. The code is in the fragment, which browsers do not send.
 * @param page address of the web page, without a slash at its end
 */
export function inviteAddress(page: string, code: string): string {
  return `${page}/#invite=${code}`
}
