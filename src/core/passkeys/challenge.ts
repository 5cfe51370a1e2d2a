import { randomBytes } from 'node:crypto'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { decodeBase64 } from './base64.ts'
import { ceremonyErrors, type Ceremony } from './ceremony-errors.ts'
import {
  deleteExpiredChallenges,
  deleteOldestChallenges,
  insertChallenge,
  deleteChallengeReturning,
} from './queries.ts'

const CHALLENGE_BYTES = 32

/** Lifetime of a challenge; also the `timeout` for browsers. */
export const CHALLENGE_SECONDS = 300

/**
 * Number of challenges that are kept per account and ceremony. The rate limit allows one address at most 50 during the lifetime of a
 * challenge, so a stranger cannot displace the owner's challenges.
 */
const MAX_CHALLENGES = 100

type Dependencies = { db: Database; clock: Clock }

/** Creates a challenge for one account and one ceremony, valid once and for five minutes. Expired and excess challenges are deleted. */
export async function issueChallenge(
  { db, clock }: Dependencies,
  { accountId, ceremony }: { accountId: string; ceremony: Ceremony },
): Promise<Buffer> {
  const challenge = randomBytes(CHALLENGE_BYTES)
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + CHALLENGE_SECONDS * 1000)
  await deleteExpiredChallenges(db, now)
  await insertChallenge(db, { challenge, accountId, ceremony, now, expiresAt })
  await deleteOldestChallenges(db, { accountId, ceremony, kept: MAX_CHALLENGES })
  return challenge
}

/**
 * Redeems a challenge. It is deleted at the first use, even if the account or ceremony is wrong or the response is invalid.
 * @param input.accountId undefined when no account has the given name
 * @throws AppError `Invalid or expired challenge` of the ceremony
 */
export async function redeemChallenge(
  { db, clock }: Dependencies,
  input: { text: string; accountId: string | undefined; ceremony: Ceremony },
): Promise<Buffer> {
  const challenge = decodeBase64(input.text, CHALLENGE_BYTES)
  const row = challenge?.length === CHALLENGE_BYTES ? await deleteChallengeReturning(db, challenge) : undefined
  const isValid =
    row !== undefined &&
    row.expiresAt > clock.now() &&
    row.accountId === input.accountId &&
    row.purpose === input.ceremony
  if (challenge === undefined || !isValid) throw ceremonyErrors[input.ceremony].expired()
  return challenge
}
