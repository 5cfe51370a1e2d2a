import { isPasswordSized, verifyPassword, type PasswordHashing } from '../platform/credentials/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { countHit, rateLimitKey, rateLimitedError, readHits, reduceHits } from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { shareErrors } from './errors.ts'
import { findShareByDigest, countShareUse, type StoredShare } from './queries/shares.ts'
import { computeTokenDigest, isTokenText } from './share-token.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger; passwordHashing: PasswordHashing }

const MAX_TRIES = 10
const WINDOW_SECONDS = 900
/** Counts wrong tokens of an address. A token cannot be guessed; the limit only bounds the work. */
const TOKENS = 'share_tokens'
const PASSWORDS = 'share_passwords'

export type ShareOpening = {
  token: string
  password: string | null
  clientAddress: string
  /** Aborted when the client has disconnected. */
  signal?: AbortSignal
  /** Whether this browser has opened the link before: it needs no password, and is not counted again. */
  hasCookie: (shareId: string) => boolean
}

/**
 * Checks the token and the password of a link, and counts its use.
 * @throws AppError `share_not_found`, `share_revoked`, `share_expired`, `share_used_up`, `share_password_required`, `share_password_wrong`,
 * `rate_limited` after ten wrong tokens of the address or ten wrong passwords of the address at the link, whatever the next one is
 */
export async function openShare(
  services: Dependencies,
  { token, password, clientAddress, signal, hasCookie }: ShareOpening,
): Promise<{ id: string; expiresAt: Date }> {
  const { db, clock, log } = services
  const address = rateLimitKey(clientAddress)
  const found = isTokenText(token) ? await findShareByDigest(db, computeTokenDigest(token)) : undefined
  if (found === undefined) throw await refusalOfToken(services, address)
  requireActiveShare(found, clock.now())
  const { id, expiresAt } = found
  if (hasCookie(id)) return { id, expiresAt }
  // Checked before the password, which would be useless. A person with the token may learn that the link has ended.
  if (found.isUsedUp) throw shareErrors.share_used_up()
  if (found.passwordHash !== null) {
    await checkPassword(services, { share: found, hash: found.passwordHash, password, address, signal })
  }
  // The statement checks the limit of uses again, because two browsers may open the link at the same time.
  if (!(await countShareUse(db, { id, now: clock.now(), address: clientAddress }))) throw shareErrors.share_used_up()
  log.notice({ event: 'share_opened', shareId: id, clientAddress }, 'a share link was opened')
  return { id, expiresAt }
}

/** Requires that a link is neither revoked nor expired, and that its account is active. @throws AppError `share_revoked`, `share_expired` */
export function requireActiveShare(
  { revokedAt, expiresAt, status }: Pick<StoredShare, 'revokedAt' | 'expiresAt' | 'status'>,
  now: Date,
): void {
  if (revokedAt !== null || status !== 'active') throw shareErrors.share_revoked()
  if (expiresAt <= now) throw shareErrors.share_expired()
}

async function refusalOfToken(services: Dependencies, address: string): Promise<Error> {
  const { hits, millisecondsLeft } = await countHit(services, {
    surface: TOKENS,
    key: address,
    windowSeconds: WINDOW_SECONDS,
  })
  return hits > MAX_TRIES ? rateLimitedError(millisecondsLeft) : shareErrors.share_not_found()
}

type PasswordTry = {
  share: Pick<StoredShare, 'id'>
  hash: string
  password: string | null
  address: string
  signal?: AbortSignal | undefined
}

/** An attempt is counted before its check, so that concurrent attempts do not exceed the limit. A correct password subtracts its attempt again. */
async function checkPassword(
  services: Dependencies,
  { share, hash, password, address, signal }: PasswordTry,
): Promise<void> {
  const counter = { surface: PASSWORDS, key: `${share.id} ${address}`, windowSeconds: WINDOW_SECONDS }
  if (password === null || password === '') {
    const { hits, millisecondsLeft } = await readHits(services, counter)
    throw hits >= MAX_TRIES ? rateLimitedError(millisecondsLeft) : shareErrors.share_password_required()
  }
  const { passwordHashing, db, log } = services
  await passwordHashing.queue(
    async () => {
      const { hits, millisecondsLeft } = await countHit(services, counter)
      if (hits > MAX_TRIES) throw rateLimitedError(millisecondsLeft)
      const isRight =
        isPasswordSized(password) && (await verifyPassword(passwordHashing, password.normalize('NFC'), hash))
      if (isRight) return reduceHits({ db }, { surface: counter.surface, key: counter.key, hits: 1 })
      log.warning(
        { event: 'share_password_wrong', shareId: share.id, clientAddress: address },
        'a wrong password of a share link',
      )
      throw shareErrors.share_password_wrong()
    },
    { client: address, signal },
  )
}
