import { createHash, randomBytes } from 'node:crypto'
import { LIBRARY_SUBSETS } from '../../hub-protocol/index.ts'
import { isRowId, type Connection, type Database } from '../../platform/database/index.ts'
import type { AccountInput, PasswordHashing } from '../../platform/credentials/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import type { HubUser } from '../hub-user.ts'
import { insertAudit } from '../queries/audit.ts'
import { publishEvent } from '../queries/events.ts'
import {
  countSharesAndInvites,
  deleteInviteLink,
  deleteShare,
  findShare,
  insertInviteLink,
  lockInviteLink,
  markInviteUsed,
  selectInvitesOfUser,
  selectSharesOfUser,
  upsertShare,
  type InviteLink,
  type ServerShare,
} from '../queries/shares.ts'
import { requireOwnedServer } from '../servers/administer-server.ts'
import { insertPreparedUser, prepareUser } from '../users/create-user.ts'

type Dependencies = { db: Database; clock: Clock }
type Person = { id: string; username: string }

const CODE_BYTES = 24
const MAX_CODE_LENGTH = 200
const INVITE_MILLISECONDS = 7 * 86_400_000
const MAX_ACCESS = 100

/**
 * An owner makes an invitation to a server, which is valid once and for seven days.
 * @param input.libraryIds the libraries to share; null for all
 * @returns the code, 192 bits, which is not stored
 * @throws AppError `server.not_found`, `server.not_owned`, `too_many_servers`; `libraries_not_limited` if the server cannot limit users
 */
export async function createInviteLink(
  { db, clock }: Dependencies,
  { serverId, libraryIds, user }: { serverId: string; libraryIds: readonly string[] | null; user: Person },
): Promise<{ id: string; code: string; expiresAt: Date }> {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + INVITE_MILLISECONDS)
  const id = await db.transaction(async (connection) => {
    const server = await requireOwnedServer(connection, { id: serverId, userId: user.id })
    if (libraryIds !== null && !server.capabilities.includes(LIBRARY_SUBSETS)) throw hubErrors.libraries_not_limited()
    if ((await countSharesAndInvites(connection, serverId, now)) >= MAX_ACCESS) throw hubErrors.too_many_servers()
    await writeEntry(connection, 'share.invited', { user, serverId, target: server.name, now })
    return insertInviteLink(connection, { codeDigest: digestOf(code), serverId, libraryIds, expiresAt, now })
  })
  return { id, code, expiresAt }
}

/** The invitations to the servers of a user, used and expired ones too. */
export function listInviteLinks({ db }: { db: Connection }, ownerId: string): Promise<readonly InviteLink[]> {
  return selectInvitesOfUser(db, ownerId)
}

/** @throws AppError `invite_link_invalid` */
export async function revokeInviteLink(
  { db }: Pick<Dependencies, 'db'>,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<void> {
  if (!isRowId(id) || !(await deleteInviteLink(db, { id, ownerId }))) throw hubErrors.invite_link_invalid()
}

/**
 * A user accepts an invitation.
 * @throws AppError `invite_link_invalid`, `own_server`
 */
export async function acceptInvite(
  { db, clock }: Dependencies,
  { code, user }: { code: string; user: Person },
): Promise<{ serverId: string; serverName: string }> {
  return db.transaction((connection) => accept(connection, { code, user, now: clock.now() }))
}

/**
 * Creates an account of the hub for somebody with an invitation, and accepts it. There is no other registration.
 * @throws AppError `invite_link_invalid`, `validation_failed`; the invitation stays valid then
 */
export async function registerWithInvite(
  needs: Dependencies & { passwordHashing: PasswordHashing },
  { code, ...input }: AccountInput & { code: string },
): Promise<HubUser> {
  const now = needs.clock.now()
  // Before the password is hashed, so that callers without an invitation cause no hashing.
  await needs.db.transaction((connection) => requireInvite(connection, { code, now }))
  const prepared = await prepareUser(needs, input)
  return needs.db.transaction(async (connection) => {
    const user = await insertPreparedUser(connection, { ...prepared, isAdmin: false, actor: 'invitation', now })
    await accept(connection, { code, user, now })
    return user
  })
}

type Acceptance = { code: string; user: Person; now: Date }

async function accept(connection: Connection, { code, user, now }: Acceptance) {
  const invite = await requireInvite(connection, { code, now })
  const { serverId, serverName, libraryIds } = invite
  if (invite.ownerId === user.id) throw hubErrors.own_server()
  await markInviteUsed(connection, { id: invite.id, userId: user.id, now })
  await upsertShare(connection, { serverId, userId: user.id, libraryIds, now })
  await writeEntry(connection, 'share.accepted', { user, serverId, target: serverName, now })
  return { serverId, serverName }
}

async function requireInvite(connection: Connection, { code, now }: { code: string; now: Date }) {
  const invite =
    code.length > MAX_CODE_LENGTH ? undefined : await lockInviteLink(connection, { codeDigest: digestOf(code), now })
  if (invite === undefined) throw hubErrors.invite_link_invalid()
  return invite
}

/** The shares that a user has given and received. */
export function listServerShares({ db }: { db: Connection }, userId: string): Promise<readonly ServerShare[]> {
  return selectSharesOfUser(db, userId)
}

/**
 * Ends a share, by the owner of the server or by the user who has it. Running requests are ended at once. The home server refuses earlier tokens
 * after its next heartbeat; they expire after 15 minutes.
 * @throws AppError `share_not_found`
 */
export async function endShare({ db, clock }: Dependencies, { id, user }: { id: string; user: Person }): Promise<void> {
  await db.transaction(async (connection) => {
    const share = isRowId(id) ? await findShare(connection, id) : undefined
    if (share === undefined || (share.ownerId !== user.id && share.userId !== user.id))
      throw hubErrors.share_not_found()
    const { serverId, serverName, userId, username } = share
    await deleteShare(connection, id)
    await publishEvent(connection, { kind: 'access_revoked', serverId, userId })
    const target = `${serverName} of ${username}`
    await writeEntry(connection, 'share.ended', { user, serverId, target, now: clock.now() })
  })
}

type About = { user: Person; serverId: string; target: string; now: Date }

function writeEntry(connection: Connection, action: string, { user, serverId, target, now }: About): Promise<void> {
  return insertAudit(connection, { action, actor: user.username, target, userId: user.id, serverId, now })
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
