import {
  isPasswordSized,
  isPossibleAccountName,
  sanitizeNameForLog,
  verifyPassword,
  type PasswordHashing,
} from '../../platform/credentials/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { clearHits, countHit, rateLimitKey, rateLimitedError, readHits } from '../../platform/rate-limits/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import type { HubUser } from '../hub-user.ts'
import { findHubCredentials } from '../queries/users.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger; passwordHashing: PasswordHashing }

/** Failed attempts in a window, by client address and by account. A success resets that of the account. */
const LIMITS = { hub_login_address: 10, hub_login_account: 20 } as const
const WINDOW_SECONDS = 900

/**
 * Checks a password for a username or e-mail address, both without regard to case. An unknown account takes the same time as a wrong password.
 * After too many failures of an address or at an account, all attempts are refused for a while, even correct ones.
 * @throws AppError `invalid_credentials`, also for a disabled account; `rate_limited`, `sign_in_busy`
 */
export async function logInToHub(
  needs: Dependencies,
  input: { usernameOrEmail: string; password: string; clientAddress: string; signal?: AbortSignal },
): Promise<HubUser> {
  const { passwordHashing } = needs
  const client = rateLimitKey(input.clientAddress)
  const user = await passwordHashing.queue(() => checkPassword(needs, { ...input, client }), {
    client,
    signal: input.signal,
  })
  if (user !== undefined) return user
  const event = { event: 'auth_failed', ip: input.clientAddress, user: sanitizeNameForLog(input.usernameOrEmail) }
  needs.log.warning(event, 'a login failed')
  throw hubErrors.hub_invalid_credentials()
}

/** Undefined for a wrong password, which is counted. */
async function checkPassword(
  needs: Dependencies,
  { usernameOrEmail, password, client }: { usernameOrEmail: string; password: string; client: string },
): Promise<HubUser | undefined> {
  const name = usernameOrEmail.normalize('NFC')
  const credentials = isPossibleAccountName(name) ? await findHubCredentials(needs.db, name) : undefined
  const counters = [
    { surface: 'hub_login_address', key: client, windowSeconds: WINDOW_SECONDS },
    ...(credentials === undefined
      ? []
      : [{ surface: 'hub_login_account', key: credentials.id, windowSeconds: WINDOW_SECONDS } as const]),
  ] as const
  for (const counter of counters) {
    const { hits, millisecondsLeft } = await readHits(needs, counter)
    if (hits >= LIMITS[counter.surface]) throw rateLimitedError(millisecondsLeft)
  }
  const isRight =
    isPasswordSized(password) &&
    (await verifyPassword(needs.passwordHashing, password.normalize('NFC'), credentials?.passwordHash))
  if (isRight && credentials?.status === 'active') {
    await clearHits(needs, { surface: 'hub_login_account', key: credentials.id })
    const { passwordHash: _, ...user } = credentials
    return user
  }
  for (const counter of counters) await countHit(needs, counter)
  return undefined
}
