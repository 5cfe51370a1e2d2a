import {
  checkAccountChanges,
  generatePassword,
  hashPassword,
  type AccountInput,
  type PasswordHashing,
} from '../../platform/credentials/index.ts'
import { isRowId, type Connection, type Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import type { HubUser } from '../hub-user.ts'
import { insertAudit } from '../queries/audit.ts'
import { publishEvent } from '../queries/events.ts'
import { deleteSessionsOfUser } from '../queries/sessions.ts'
import {
  deleteUser,
  findUserById,
  hasOtherAdministrator,
  lockHubAdministrators,
  selectOwnServers,
  selectSharedServers,
  selectUsers,
  updateUser,
} from '../queries/users.ts'
import { hubValidationError, translateHubNameConflict } from './create-user.ts'

type Dependencies = { db: Database; clock: Clock }
type Reference = { id: string; actor: string }

/** All users, sorted by name. */
export function listHubUsers({ db }: { db: Connection }): Promise<readonly HubUser[]> {
  return selectUsers(db)
}

/** @throws AppError `user_not_found` */
export async function getHubUser({ db }: { db: Connection }, id: string): Promise<HubUser> {
  const user = isRowId(id) ? await findUserById(db, id) : undefined
  if (user === undefined) throw hubErrors.user_not_found()
  return user
}

/**
 * Changes a user; absent fields are unchanged. A new password and the status `disabled` end the sessions; the latter also ends running
 * requests through the hub.
 * @throws AppError `user_not_found`, `validation_failed`, `last_hub_admin`
 */
export async function changeHubUser(
  { db, clock, passwordHashing }: Dependencies & { passwordHashing: PasswordHashing },
  { id, actor, isAdmin, status, ...input }: AccountInput & Partial<Pick<HubUser, 'isAdmin' | 'status'>> & Reference,
): Promise<HubUser> {
  const checked = checkAccountChanges(input)
  if ('problems' in checked) throw hubValidationError(checked.problems)
  const { password, ...names } = checked.changes
  const passwordHash = password === undefined ? undefined : await hashPassword(passwordHashing, password)
  const now = clock.now()
  return db.transaction(async (connection) => {
    const before = await lockUser(connection, id)
    // Events name users as the database does, in lower case.
    const userId = before.id
    if (isAdmin === false || status === 'disabled') await refuseLastAdministrator(connection, before)
    const changes = {
      ...names,
      ...(passwordHash === undefined ? {} : { passwordHash }),
      ...(isAdmin === undefined ? {} : { isAdmin }),
      ...(status === undefined ? {} : { status }),
    }
    const user = await translateHubNameConflict(updateUser(connection, { id: userId, now, ...changes }))
    if (user === undefined) throw hubErrors.user_not_found()
    if (passwordHash !== undefined || status === 'disabled') await deleteSessionsOfUser(connection, userId)
    if (status === 'disabled') await revokeAccessOf(connection, userId)
    await insertAudit(connection, { action: 'user.changed', actor, target: user.username, userId, now })
    return user
  })
}

/**
 * Sets a generated password and ends the sessions.
 * @returns the password, which is not stored
 * @throws AppError `user_not_found`
 */
export async function resetHubPassword(
  needs: Dependencies & { passwordHashing: PasswordHashing },
  reference: Reference,
): Promise<{ user: HubUser; password: string }> {
  const password = generatePassword()
  return { user: await changeHubUser(needs, { ...reference, password }), password }
}

/**
 * Deletes a user with the user's servers, shares and sessions.
 * @throws AppError `user_not_found`, `last_hub_admin`
 */
export async function deleteHubUser({ db, clock }: Dependencies, { id, actor }: Reference): Promise<void> {
  await db.transaction(async (connection) => {
    const user = await lockUser(connection, id)
    await refuseLastAdministrator(connection, user)
    await revokeAccessOf(connection, user.id)
    // With the row of a server, its tokens end.
    for (const serverId of await selectOwnServers(connection, user.id)) {
      await publishEvent(connection, { kind: 'server_revoked', serverId })
    }
    await deleteUser(connection, user.id)
    const entry = { action: 'user.deleted', actor, target: user.username, now: clock.now() }
    await insertAudit(connection, entry)
  })
}

async function lockUser(connection: Connection, id: string): Promise<HubUser> {
  await lockHubAdministrators(connection)
  return getHubUser({ db: connection }, id)
}

async function refuseLastAdministrator(connection: Connection, { id, isAdmin, status }: HubUser): Promise<void> {
  if (!isAdmin || status !== 'active' || (await hasOtherAdministrator(connection, id))) return
  throw hubErrors.last_hub_admin()
}

/** Ends the running requests of the user to all servers. */
async function revokeAccessOf(connection: Connection, userId: string): Promise<void> {
  const serverIds = [
    ...(await selectOwnServers(connection, userId)),
    ...(await selectSharedServers(connection, userId)),
  ]
  for (const serverId of serverIds) await publishEvent(connection, { kind: 'access_revoked', serverId, userId })
}
