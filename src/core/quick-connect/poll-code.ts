import { startCodeSession, type SignedInByCode } from './start-code-session.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { isSecretOf, readCode } from './code.ts'
import { quickConnectErrors } from './errors.ts'
import { POLL_SECONDS, type Caller } from './open-code.ts'
import { findCode, notePoll, requireSecret, takeApproved, type OpenCode } from './queries.ts'

type Dependencies = { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> }

/**
 * A device polls its code. It authenticates with its secret. A device that has never used its secret may authenticate with its id and the
 * IP address from which it requested the code.
 */
export type Poll = Caller & { code: string; secret?: string | undefined; deviceId: string | null }

export type PollState = {
  status: 'pending' | 'approved' | 'denied' | 'expired'
  /** Seconds until the next poll of the device. */
  pollSeconds: number
  isTooSoon: boolean
}

/** Devices and networks are not exact to the second. */
const LEEWAY_SECONDS = 1
const ADDED_SECONDS = 5
const MAX_POLL_SECONDS = 60

const EXPIRED: PollState = { status: 'expired', pollSeconds: POLL_SECONDS, isTooSoon: false }

/** The state of a code, for its device. For any other one, and for unknown and used codes, it is `expired`. */
export async function pollCode({ db, clock }: Pick<Dependencies, 'db' | 'clock'>, poll: Poll): Promise<PollState> {
  const found = await findOwn({ db, clock }, poll)
  if (found === undefined) return EXPIRED
  if (found.status !== 'pending') return { status: found.status, pollSeconds: found.pollSeconds, isTooSoon: false }
  const limits = { leewaySeconds: LEEWAY_SECONDS, addedSeconds: ADDED_SECONDS, maxSeconds: MAX_POLL_SECONDS }
  const noted = await notePoll(db, { code: found.code, now: clock.now(), ...limits })
  return noted === undefined ? EXPIRED : { status: 'pending', ...noted }
}

/**
 * Signs the device of an approved code in. A code is used up by that; of several requests at once one succeeds.
 * @throws AppError `authorization_pending`, `slow_down`, `access_denied`, `expired_token`; `account_disabled`
 */
export async function redeemCode(needs: Dependencies, poll: Poll): Promise<SignedInByCode> {
  const found = await findOwn(needs, poll)
  if (found?.status === 'pending') throw await refusalOfPending(needs, poll)
  if (found?.status === 'denied') throw quickConnectErrors.access_denied()
  if (found === undefined || found.approverId === null || found.profileId === null)
    throw quickConnectErrors.expired_token()
  const { code, approverId: accountId, profileId, deviceId: id, deviceName: name, deviceType: type } = found
  const takeApproval = async (connection: Connection): Promise<void> => {
    const isTaken = await takeApproved(connection, { code, accountId, profileId, now: needs.clock.now() })
    if (!isTaken) throw quickConnectErrors.expired_token()
  }
  return startCodeSession(needs, {
    accountId,
    profileId,
    takeApproval,
    device: { id, name, type },
    clientAddress: poll.clientAddress,
  })
}

async function refusalOfPending(needs: Dependencies, poll: Poll): Promise<Error> {
  const { status, isTooSoon, pollSeconds } = await pollCode(needs, poll)
  // Decided meanwhile: the device polls again.
  if (status === 'expired') return quickConnectErrors.expired_token()
  const details = { interval: pollSeconds }
  return isTooSoon ? quickConnectErrors.slow_down({ details }) : quickConnectErrors.authorization_pending({ details })
}

async function findOwn({ db, clock }: Pick<Dependencies, 'db' | 'clock'>, poll: Poll): Promise<OpenCode | undefined> {
  const code = readCode(poll.code)
  const found = code === undefined ? undefined : await findCode(db, { code, now: clock.now() })
  if (found === undefined || !isOwn(found, poll)) return undefined
  if (poll.secret !== undefined && !found.needsSecret) await requireSecret(db, found.code)
  return found
}

function isOwn({ secretDigest, needsSecret, deviceId, address }: OpenCode, poll: Poll): boolean {
  if (poll.secret !== undefined) return isSecretOf(secretDigest, poll.secret)
  if (needsSecret || !poll.isAddressKnown) return false
  return deviceId !== null && deviceId === poll.deviceId && address === poll.clientAddress
}
