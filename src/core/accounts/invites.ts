import { createHash, randomBytes } from 'node:crypto'
import { isId, type Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Invite } from './invite.ts'
import { accountErrors } from './errors.ts'
import { deleteInvite, insertInvite, lockInvite, selectInvites } from './queries/registration.ts'

type Dependencies = { db: Connection; clock: Clock }

const CODE_BYTES = 24
const MAX_CODE_LENGTH = 200

/**
 * Creates an invite for one account.
 * @returns the invite and its code, 192 bits, which is not stored
 */
export async function createInvite(
  { db, clock }: Dependencies,
  { lifetimeSeconds }: { lifetimeSeconds: number },
): Promise<{ invite: Invite; code: string }> {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000)
  return { invite: await insertInvite(db, { digest: digestOf(code), now, expiresAt }), code }
}

/** All invites, newest first, including used and expired ones. */
export async function listInvites({ db }: Pick<Dependencies, 'db'>): Promise<readonly Invite[]> {
  return selectInvites(db)
}

/**
 * Deletes an invite; an account that was created with it remains.
 * @throws AppError `invite_not_found`
 */
export async function revokeInvite({ db }: Pick<Dependencies, 'db'>, { id }: { id: string }): Promise<void> {
  if (!isId(id) || !(await deleteInvite(db, id))) throw accountErrors.invite_not_found()
}

/** The id of the usable invite with this code. It is locked until the transaction ends. */
export async function findUsableInvite(
  connection: Connection,
  { code, now }: { code: string | undefined; now: Date },
): Promise<string | undefined> {
  if (code === undefined || code.length > MAX_CODE_LENGTH) return undefined
  return lockInvite(connection, { digest: digestOf(code.trim()), now })
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
