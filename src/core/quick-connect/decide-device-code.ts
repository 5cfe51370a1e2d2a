import { requireFullSession, type Session } from '../accounts/index.ts'
import { lockProfile } from '../profiles/index.ts'
import type { Database } from '../platform/database/index.ts'
import { countHit, rateLimitKey, rateLimitedError, reduceHits } from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { normalizeDeviceCode } from './device-code.ts'
import { quickConnectErrors } from './errors.ts'
import { approvePendingCode, denyPendingCode, findDeviceCode, type OpenDeviceCode } from './queries.ts'

type Dependencies = { db: Database; clock: Clock }

/** A person who is signed in enters a code. */
export type CodeEntry = Session & { code: string; clientAddress: string }

/** What the person sees before the decision. */
export type WaitingDevice = Pick<OpenDeviceCode, 'code' | 'deviceName' | 'deviceType' | 'address' | 'expiresAt'> & {
  /** Whether the request of the device came from the IP address of the person. If not, somebody else may have sent the code. */
  isSameAddress: boolean
}

/** Limits of wrong entries: at an account, and from an address. */
const LIMITS = { quick_connect_account: 5, quick_connect_address: 20 } as const
const WINDOW_SECONDS = 900

/**
 * The device that waits with a code.
 * @throws AppError `code_not_found` for unknown, expired and used codes alike; `rate_limited` after too many of them, also for the right one
 */
export async function getWaitingDevice(needs: Dependencies, entry: CodeEntry): Promise<WaitingDevice> {
  const { code, deviceName, deviceType, address, expiresAt } = await findEntered(needs, entry)
  const isSameAddress = rateLimitKey(address) === rateLimitKey(entry.clientAddress)
  return { code, deviceName, deviceType, address, expiresAt, isSameAddress }
}

/**
 * Signs the device of a code in to a profile of the account of the person. Of two persons at once one succeeds. A repeated approval is the same.
 * @throws AppError as `getWaitingDevice`; `session_ended`; `profile_not_found`; `full_session_required` for a session of the hub, which has fewer rights than the device would get
 */
export async function approveDeviceCode(needs: Dependencies, entry: CodeEntry & { profileId: string }): Promise<void> {
  const { code, approverId } = await findEntered(needs, entry)
  if (approverId !== null) return
  const now = needs.clock.now()
  const isApproved = await needs.db.transaction(async (connection) => {
    // First, as in a deletion of the profile, which ends its sessions afterwards.
    await lockProfile(connection, entry.profileId)
    await requireFullSession(connection, entry)
    return approvePendingCode(connection, { code, sessionId: entry.sessionId, profileId: entry.profileId, now })
  })
  if (!isApproved) throw quickConnectErrors.code_not_found()
}

/**
 * Refuses the device of a code.
 * @throws AppError as `getWaitingDevice`
 */
export async function denyDeviceCode(needs: Dependencies, entry: CodeEntry): Promise<void> {
  const { code } = await findEntered(needs, entry)
  if (!(await denyPendingCode(needs.db, { code, now: needs.clock.now() }))) throw quickConnectErrors.code_not_found()
}

/**
 * Finds a code that nobody has decided about, or that this account has approved. Each entry is counted as wrong before the code is read, so
 * that entries at once cannot pass the limit together; a right one is taken back.
 */
async function findEntered({ db, clock }: Dependencies, entry: CodeEntry): Promise<OpenDeviceCode> {
  const keys = { quick_connect_account: entry.accountId, quick_connect_address: rateLimitKey(entry.clientAddress) }
  const surfaces = ['quick_connect_account', 'quick_connect_address'] as const
  let locked = 0
  for (const surface of surfaces) {
    const count = await countHit({ db, clock }, { surface, key: keys[surface], windowSeconds: WINDOW_SECONDS })
    if (count.hits > LIMITS[surface]) locked = Math.max(locked, count.millisecondsLeft)
  }
  if (locked > 0) throw rateLimitedError(locked)
  const code = normalizeDeviceCode(entry.code)
  const found = code === undefined ? undefined : await findDeviceCode(db, { code, now: clock.now() })
  const isOwn = found?.status === 'approved' && found.approverId === entry.accountId
  if (found === undefined || (found.status !== 'pending' && !isOwn)) throw quickConnectErrors.code_not_found()
  for (const surface of surfaces) await reduceHits({ db }, { surface, key: keys[surface], hits: 1 })
  return found
}
