import { createHash, randomBytes } from 'node:crypto'
import { isId, type Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { accountErrors } from './errors.ts'
import { deleteInvite, insertInvite, lockInvite, selectInvites } from './queries/registration.ts'

/** A code that lets one person register. */
export type Invite = {
  /** UUID. */
  id: string
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
  /** The name of the account that was made with it; null also when that account is gone. */
  usedBy: string | null
}

type Dependencies = { db: Connection; clock: Clock }

const CODE_BYTES = 24
const MAX_CODE_LENGTH = 200

/** Makes an invite for one account. @returns it with its code, 192 bits, which is stored nowhere */
export async function createInvite(
  { db, clock }: Dependencies,
  { lifetimeSeconds }: { lifetimeSeconds: number },
): Promise<{ invite: Invite; code: string }> {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000)
  return { invite: await insertInvite(db, { digest: digestOf(code), now, expiresAt }), code }
}

/** All invites, the newest first, also those that are used or over. */
export async function listInvites({ db }: Pick<Dependencies, 'db'>): Promise<readonly Invite[]> {
  return selectInvites(db)
}

/**
 * Takes an invite back; the account that was made with it stays.
 * @throws AppError `invite_not_found`
 */
export async function revokeInvite({ db }: Pick<Dependencies, 'db'>, { id }: { id: string }): Promise<void> {
  if (!isId(id) || !(await deleteInvite(db, id))) throw accountErrors.invite_not_found()
}

/** The id of the invite with this code while it can be used; until the transaction ends only this one can use it. */
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
