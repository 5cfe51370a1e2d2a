import {
  checkAccountInput,
  hashPassword,
  type AccountInput,
  type FieldProblems,
  type PasswordHashing,
} from '../../platform/credentials/index.ts'
import { violatedUniqueConstraint, type Connection } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import type { HubUser } from '../hub-user.ts'
import { insertAudit } from '../queries/audit.ts'
import { insertUser } from '../queries/users.ts'

type Dependencies = { db: Connection; clock: Clock; passwordHashing: PasswordHashing }

const UNIQUE_FIELDS: Readonly<Record<string, string>> = {
  hub_users_username_key: 'username',
  hub_users_email_key: 'email',
}

/** A new user whose input was checked and whose password is hashed. */
export type PreparedUser = { username: string; email: string; passwordHash: string }

/**
 * Creates an account of the hub.
 * @param input.actor the user who creates the account, for the audit log
 * @throws AppError `validation_failed` with `details.fields`, also for names in use; `sign_in_busy`
 */
export async function createHubUser(
  needs: Dependencies,
  { isAdmin, actor, ...input }: AccountInput & { isAdmin: boolean; actor: string },
): Promise<HubUser> {
  const prepared = await prepareUser(needs, input)
  return needs.db.transaction((connection) =>
    insertPreparedUser(connection, { ...prepared, isAdmin, actor, now: needs.clock.now() }),
  )
}

/** @throws AppError `validation_failed`, `sign_in_busy` */
export async function prepareUser(
  { passwordHashing }: Pick<Dependencies, 'passwordHashing'>,
  input: AccountInput,
): Promise<PreparedUser> {
  const checked = checkAccountInput(input)
  if ('problems' in checked) throw hubValidationError(checked.problems)
  const { username, email, password } = checked
  return { username, email, passwordHash: await hashPassword(passwordHashing, password) }
}

/** @throws AppError `validation_failed` for names in use */
export async function insertPreparedUser(
  connection: Connection,
  { actor, ...row }: PreparedUser & { isAdmin: boolean; actor: string; now: Date },
): Promise<HubUser> {
  const user = await translateHubNameConflict(insertUser(connection, row))
  const entry = { action: 'user.created', actor, target: user.username, userId: user.id, now: row.now }
  await insertAudit(connection, entry)
  return user
}

/** @throws AppError `validation_failed` for a name or an address in use */
export async function translateHubNameConflict<Result>(writing: Promise<Result>): Promise<Result> {
  try {
    return await writing
  } catch (error) {
    const field = UNIQUE_FIELDS[violatedUniqueConstraint(error) ?? '']
    if (field === undefined) throw error
    throw hubValidationError({ [field]: 'is already in use' })
  }
}

/** Combines all broken rules into one error. */
export function hubValidationError(fields: FieldProblems): Error {
  const sentences = Object.entries(fields).map(([field, problem]) => `${field} ${problem}`)
  return hubErrors.hub_validation_failed({ message: sentences.join('; '), details: { fields } })
}
