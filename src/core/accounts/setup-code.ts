import { createHash, timingSafeEqual } from 'node:crypto'
import { generatePassword } from '../platform/credentials/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { accountErrors } from './errors.ts'
import { hasAccounts, insertSetupCode, selectSetupCode } from './queries/registration.ts'

/**
 * The code with which a caller on another machine can create the first account: 120 bits, created at the first call, the same for every
 * process.
 * @returns undefined once there is an account
 */
export async function readSetupCode({ db }: { db: Connection }): Promise<string | undefined> {
  if (await hasAccounts(db)) return undefined
  return (await selectSetupCode(db)) ?? insertSetupCode(db, generatePassword())
}

/**
 * Reads the setup code for a command.
 * @throws AppError `setup_done` once there is an account
 */
export async function getSetupCode(services: { db: Connection }): Promise<string> {
  const code = await readSetupCode(services)
  if (code === undefined) throw accountErrors.setup_done({ hint: 'phlix user:create NAME --email ADDRESS --admin' })
  return code
}

/** Compares a text with the setup code in constant time; false when no code was created. */
export async function isSetupCode(connection: Connection, given: string | undefined): Promise<boolean> {
  const code = await selectSetupCode(connection)
  if (code === undefined || given === undefined) return false
  return timingSafeEqual(digestOf(code), digestOf(given.trim().toLowerCase()))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
