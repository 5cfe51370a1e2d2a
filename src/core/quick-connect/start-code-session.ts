import {
  getAccount,
  recordLogin,
  startRefreshSession,
  type Account,
  type DeviceInput,
  type RefreshToken,
} from '../accounts/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'

export type SignedInByCode = { account: Account; token: RefreshToken }

/** Starts the session of a device whose code was approved, and records the login. */
export async function startCodeSession(
  needs: { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> },
  input: { accountId: string; authenticatedAt: Date; device: DeviceInput; clientAddress: string },
): Promise<SignedInByCode> {
  const account = await recordLogin(needs, await getAccount(needs, { accountId: input.accountId }))
  return { account, token: await startRefreshSession(needs, input) }
}
