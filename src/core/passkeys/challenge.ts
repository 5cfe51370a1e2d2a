import { randomBytes } from 'node:crypto'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { decodeBase64 } from './base64.ts'
import { ceremonyErrors, type Ceremony } from './ceremony-errors.ts'
import { deleteExpiredChallenges, deleteOldestChallenges, insertChallenge, takeChallengeRow } from './queries.ts'

const CHALLENGE_BYTES = 32

/** Decisions 3.4; also the `timeout` that browsers are told. */
export const CHALLENGE_SECONDS = 300

/**
 * Newest challenges that are kept for one account and ceremony. The rate limit lets one address ask for at most 50 in their lifetime,
 * so a stranger who asks for an account's cannot push out its owner's.
 */
const MAX_CHALLENGES = 100

type Dependencies = { db: Database; clock: Clock }

/** Makes a challenge for one account and one ceremony, good once and for five minutes. What has expired or is too much goes. */
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
 * Takes a challenge back. Whoever shows one uses it up, also for the wrong account or ceremony and when the answer proves wrong.
 * @param input.accountId undefined when the name that came with it is nobody's
 * @throws AppError `Invalid or expired challenge` of the ceremony
 */
export async function takeChallenge(
  { db, clock }: Dependencies,
  input: { text: string; accountId: string | undefined; ceremony: Ceremony },
): Promise<Buffer> {
  const challenge = decodeBase64(input.text, CHALLENGE_BYTES)
  const row = challenge?.length === CHALLENGE_BYTES ? await takeChallengeRow(db, challenge) : undefined
  const isGood =
    row !== undefined &&
    row.expiresAt > clock.now() &&
    row.accountId === input.accountId &&
    row.purpose === input.ceremony
  if (challenge === undefined || !isGood) throw ceremonyErrors[input.ceremony].expired()
  return challenge
}
