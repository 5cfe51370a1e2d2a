import { startDeviceSession, type SignedInByCode } from './start-device-session.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { matchesSecretDigest, normalizeDeviceCode } from './device-code.ts'
import { quickConnectErrors } from './errors.ts'
import { POLL_SECONDS, type RequestingDevice } from './open-device-code.ts'
import { findDeviceCode, recordPoll, markSecretRequired, deleteApprovedCode, type OpenDeviceCode } from './queries.ts'

type Dependencies = { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> }

/**
 * A device polls its code. It authenticates with its secret. A device that has never used its secret may authenticate with its id and the
 * IP address from which it requested the code.
 */
export type CodePoll = RequestingDevice & { code: string; secret?: string | undefined; deviceId: string | null }

export type CodeState = {
  status: 'pending' | 'approved' | 'denied' | 'expired'
  /** Seconds until the next poll of the device. */
  pollSeconds: number
  isTooSoon: boolean
}

/** Devices and networks are not exact to the second. */
const LEEWAY_SECONDS = 1
const ADDED_SECONDS = 5
const MAX_POLL_SECONDS = 60

const EXPIRED: CodeState = { status: 'expired', pollSeconds: POLL_SECONDS, isTooSoon: false }

/** The state of a code, for its device. For any other one, and for unknown and used codes, it is `expired`. */
export async function pollDeviceCode(
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  poll: CodePoll,
): Promise<CodeState> {
  const found = await findOwn({ db, clock }, poll)
  if (found === undefined) return EXPIRED
  if (found.status !== 'pending') return { status: found.status, pollSeconds: found.pollSeconds, isTooSoon: false }
  const limits = { leewaySeconds: LEEWAY_SECONDS, addedSeconds: ADDED_SECONDS, maxSeconds: MAX_POLL_SECONDS }
  const noted = await recordPoll(db, { code: found.code, now: clock.now(), ...limits })
  return noted === undefined ? EXPIRED : { status: 'pending', ...noted }
}

/**
 * Signs the device of an approved code in. A code is used up by that; of several requests at once one succeeds.
 * @throws AppError `authorization_pending`, `slow_down`, `access_denied`, `expired_token`; `account_disabled`
 */
export async function redeemDeviceCode(needs: Dependencies, poll: CodePoll): Promise<SignedInByCode> {
  const found = await findOwn(needs, poll)
  if (found?.status === 'pending') throw await refusalOfPending(needs, poll)
  if (found?.status === 'denied') throw quickConnectErrors.access_denied()
  if (found === undefined || found.approverId === null || found.profileId === null)
    throw quickConnectErrors.expired_token()
  const { code, approverId: accountId, profileId, deviceId: id, deviceName: name, deviceType: type } = found
  const takeApproval = async (connection: Connection): Promise<void> => {
    const isTaken = await deleteApprovedCode(connection, { code, accountId, profileId, now: needs.clock.now() })
    if (!isTaken) throw quickConnectErrors.expired_token()
  }
  return startDeviceSession(needs, {
    accountId,
    profileId,
    takeApproval,
    device: { id, name, type },
    clientAddress: poll.clientAddress,
  })
}

async function refusalOfPending(needs: Dependencies, poll: CodePoll): Promise<Error> {
  const { status, isTooSoon, pollSeconds } = await pollDeviceCode(needs, poll)
  // Decided meanwhile: the device polls again.
  if (status === 'expired') return quickConnectErrors.expired_token()
  const details = { interval: pollSeconds }
  return isTooSoon ? quickConnectErrors.slow_down({ details }) : quickConnectErrors.authorization_pending({ details })
}

async function findOwn(
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  poll: CodePoll,
): Promise<OpenDeviceCode | undefined> {
  const code = normalizeDeviceCode(poll.code)
  const found = code === undefined ? undefined : await findDeviceCode(db, { code, now: clock.now() })
  if (found === undefined || !isOwn(found, poll)) return undefined
  if (poll.secret !== undefined && !found.needsSecret) await markSecretRequired(db, found.code)
  return found
}

function isOwn({ secretDigest, needsSecret, deviceId, address }: OpenDeviceCode, poll: CodePoll): boolean {
  if (poll.secret !== undefined) return matchesSecretDigest(secretDigest, poll.secret)
  if (needsSecret || !poll.isAddressKnown) return false
  return deviceId !== null && deviceId === poll.deviceId && address === poll.clientAddress
}
