import { createHash, randomBytes } from 'node:crypto'
import { EVERYTHING, nameTags, policyFor, ruleOf, type AccessRule } from '../access/index.ts'
import { isRowId, type Connection, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Invite, StoredInvite } from './invite.ts'
import { accountErrors } from './errors.ts'
import { deleteInvite, insertInvite, lockInvite, selectInvites, type UsableInvite } from './queries/registration.ts'
import { validationFailure } from './validation-failure.ts'

type Dependencies = { db: Database; clock: Clock }

const CODE_BYTES = 24
const MAX_CODE_LENGTH = 200
const MAX_USES = 1000
const MAX_LIFETIME_MILLISECONDS = 365 * 86_400_000

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
  await nameTags({ db }, access)
  const stored = await db.transaction(async (connection) => {
    const policyId = (await policyFor(connection, access))?.id ?? null
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

/** All invites, newest first, including used and expired ones. */
export async function listInvites({ db }: Pick<Dependencies, 'db'>): Promise<readonly Invite[]> {
  return Promise.all((await selectInvites(db)).map((stored) => withRule(db, stored)))
}

async function withRule(connection: Connection, { policyId, ...invite }: StoredInvite): Promise<Invite> {
  return { ...invite, access: await ruleOf(connection, policyId) }
}

/**
 * Deletes an invite; an account that was created with it remains.
 * @throws AppError `invite_not_found`
 */
export async function revokeInvite({ db }: Pick<Dependencies, 'db'>, { id }: { id: string }): Promise<void> {
  if (!isRowId(id) || !(await deleteInvite(db, id))) throw accountErrors.invite_not_found()
}

/** The usable invite with this code. It is locked until the transaction ends. */
export async function findUsableInvite(
  connection: Connection,
  { code, now }: { code: string | undefined; now: Date },
): Promise<UsableInvite | undefined> {
  if (code === undefined || code.length > MAX_CODE_LENGTH) return undefined
  return lockInvite(connection, { digest: digestOf(code.trim()), now })
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
