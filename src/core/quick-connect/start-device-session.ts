import {
  getAccount,
  recordLogin,
  startRefreshSession,
  type Account,
  type DeviceInput,
  type RefreshToken,
} from '../accounts/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'

export type SignedInByCode = { account: Account; token: RefreshToken }

/**
 * Starts the session of a device whose code was approved, and records the login.
 * @param input.takeApproval uses the code up, in the transaction of the session
 */
export async function startDeviceSession(
  needs: { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> },
  input: {
    accountId: string
    profileId: string
    takeApproval: (connection: Connection) => Promise<void>
    device: DeviceInput
    clientAddress: string
  },
): Promise<SignedInByCode> {
  const token = await startRefreshSession(needs, input)
  const account = await recordLogin(needs, await getAccount(needs, { accountId: input.accountId }))
  return { account, token }
}
