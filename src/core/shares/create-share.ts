import { accountErrors, mayDownload, requireRecentSignIn, validationFailure, type Session } from '../accounts/index.ts'
import type { Account } from '../accounts/index.ts'
import { hashPassword, isPasswordSized, type PasswordHashing } from '../platform/credentials/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { SessionProfile } from '../profiles/index.ts'
import { shareErrors } from './errors.ts'
import { deleteEndedShares, deleteSurplusShares, insertShare, lockShareCount } from './queries/shares.ts'
import { findShareSubject, type ShareSubjectInput } from './find-share-subject.ts'
import type { Share } from './share.ts'
import { generateToken } from './share-token.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger; passwordHashing: PasswordHashing }

const DAY_MILLISECONDS = 86_400_000
const DEFAULT_DAYS = 7
const MAX_DAYS = 366
const MAX_SHARES = 100
const MAX_USES = 10_000
const MIN_PASSWORD_CHARACTERS = 4
/** How long ended links are kept, so that guests see why a link does not open. */
const KEPT_DAYS = 30
/** Maximum number of ended links of an account; the oldest are deleted. */
const MAX_KEPT = 200

export type NewShare = {
  account: Pick<Account, 'id' | 'status' | 'mayDownload'>
  /** The profile that makes the link: its guests have the limits of the profile. */
  profile: Pick<SessionProfile, 'id' | 'mayDownload'>
  subject: ShareSubjectInput
  /** Null: in seven days. At most a year from now. */
  expiresAt: Date | null
  /** 4 or more characters; null: none. */
  password: string | null
  /** How often it can be opened; null: any number of times. */
  maxUses: number | null
  allowsDownload: boolean
  /** The session of the HTTP request. It must be a recent sign-in, because the link is valid for longer than the session. */
  session?: Session
}

/**
 * Creates a link. Its subject is looked up over the given database, so that an account shares only what it sees.
 * @returns the link without its token, and the token, which is not stored
 * @throws AppError `validation_failed`, `share_subject_not_found`, `share_subject_ambiguous`, `not_shareable`, `download_not_permitted`,
 * `too_many_shares`, `recent_sign_in_required`, `session_ended`, `full_session_required`, `account_disabled`
 */
export async function createShare(
  services: Dependencies,
  { account, profile, session, subject, ...input }: NewShare,
): Promise<{ share: Share; token: string }> {
  const { db, clock, log, passwordHashing } = services
  const now = clock.now()
  const { expiresAt, password, maxUses, allowsDownload } = checkedInput(input, now)
  if (allowsDownload && !mayDownload({ ...account, profile })) throw accountErrors.download_not_permitted()
  const found = await findShareSubject(services, subject)
  const passwordHash = password === null ? null : await hashPassword(passwordHashing, password)
  const { token, digest } = generateToken()
  const share = await db.transaction(async (connection) => {
    // The account first, because every transaction locks it before its sessions.
    const count = await lockShareCount(connection, { accountId: account.id, now })
    if (count === undefined) throw accountErrors.account_disabled()
    if (session !== undefined) await requireRecentSignIn(connection, { session, now })
    if (count >= MAX_SHARES) throw shareErrors.too_many_shares({ details: { limit: MAX_SHARES } })
    await deleteEndedShares(connection, new Date(now.getTime() - KEPT_DAYS * DAY_MILLISECONDS))
    await deleteSurplusShares(connection, { accountId: account.id, kept: MAX_KEPT, now })
    const row = {
      ...found,
      accountId: account.id,
      profileId: profile.id,
      digest,
      passwordHash,
      allowsDownload,
      maxUses,
      expiresAt,
      now,
    }
    return insertShare(connection, row)
  })
  log.notice({ event: 'share_created', accountId: account.id, shareId: share.id }, 'a share link was created')
  return { share, token }
}

function checkedInput(
  { expiresAt, password, ...input }: Pick<NewShare, 'expiresAt' | 'password' | 'maxUses' | 'allowsDownload'>,
  now: Date,
) {
  const end = expiresAt ?? new Date(now.getTime() + DEFAULT_DAYS * DAY_MILLISECONDS)
  const latest = new Date(now.getTime() + MAX_DAYS * DAY_MILLISECONDS)
  const secret = password === null || password === '' ? null : password.normalize('NFC')
  const { maxUses } = input
  const problems: Record<string, string> = {}
  if (!(end > now && end <= latest)) problems['expires_at'] = 'must be a time in the future, at most a year from now'
  if (secret !== null && !isPassword(secret)) {
    problems['password'] = `must have ${MIN_PASSWORD_CHARACTERS} characters or more`
  }
  if (maxUses !== null && !(Number.isInteger(maxUses) && maxUses >= 1 && maxUses <= MAX_USES)) {
    problems['max_uses'] = `must be a whole number from 1 to ${MAX_USES}`
  }
  if (Object.keys(problems).length > 0) throw validationFailure(problems)
  return { ...input, expiresAt: end, password: secret }
}

function isPassword(text: string): boolean {
  return Array.from(text).length >= MIN_PASSWORD_CHARACTERS && isPasswordSized(text) && text.isWellFormed()
}
