import { uniqueViolation, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import {
  checkAccountInput,
  type Account,
  type AccountInput,
  type CheckedAccountInput,
  type FieldProblems,
} from './account.ts'
import { accountErrors } from './errors.ts'
import { hashPassword } from './password.ts'
import { insertAccount, insertFirstOrLaterAccount } from './queries.ts'

type Needs = { db: Database; clock: Clock }

/**
 * Makes an account for whoever asks. The first account of the server becomes its administrator (decisions 3.4), decided in the
 * transaction that inserts it, so that of many at the same time exactly one does. Later ones are pending where that is asked for.
 * @throws AppError `validation_failed` with `details.fields`, also for names that are taken
 */
export async function registerAccount(
  { db, clock }: Needs,
  { needsApproval = false, ...input }: AccountInput & { needsApproval?: boolean },
): Promise<Account> {
  const row = { ...(await prepare(input)), laterStatus: needsApproval ? ('pending' as const) : ('active' as const) }
  const now = clock.now()
  return orTaken(db.transaction((connection) => insertFirstOrLaterAccount(connection, { ...row, now })))
}

/**
 * Makes an account on behalf of the operator, administrator or not exactly as asked.
 * @throws AppError `validation_failed` as above
 */
export async function createAccount(
  { db, clock }: Needs,
  { isAdmin, ...input }: AccountInput & { isAdmin: boolean },
): Promise<Account> {
  const row = await prepare(input)
  return orTaken(insertAccount(db, { ...row, isAdmin, status: 'active', now: clock.now() }))
}

async function prepare(input: AccountInput): Promise<Omit<CheckedAccountInput, 'password'> & { passwordHash: string }> {
  const checked = checkAccountInput(input)
  if ('problems' in checked) throw validationFailure(checked.problems)
  const { username, email, password } = checked
  return { username, email, passwordHash: await hashPassword(password) }
}

const TAKEN: Readonly<Record<string, string>> = { users_username_key: 'username', users_email_key: 'email' }

/** Names the field of a unique name that another account has. @throws AppError `validation_failed` */
export async function orTaken<Result>(writing: Promise<Result>): Promise<Result> {
  try {
    return await writing
  } catch (error) {
    const field = TAKEN[uniqueViolation(error) ?? '']
    if (field === undefined) throw error
    throw validationFailure({ [field]: 'is already in use' })
  }
}

/** All broken rules as one error. */
export function validationFailure(fields: FieldProblems): Error {
  const sentences = Object.entries(fields).map(([field, problem]) => `${field} ${problem}`)
  return accountErrors.validation_failed({ message: sentences.join('; '), details: { fields } })
}
