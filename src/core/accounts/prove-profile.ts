import { AppError } from '../platform/errors/index.ts'
import { profileErrors, verifyPin, type Profile } from '../profiles/index.ts'
import { accountErrors } from './errors.ts'
import { getAccount } from './find-account.ts'
import type { LocalSignIn } from './local-sign-in.ts'
import { logIn } from './log-in.ts'
import { hasRecentSignIn } from './require-recent-sign-in.ts'
import { selectLastVerifiedProfile, updateLastVerifiedProfile } from './queries/session-profiles.ts'
import type { Session } from './session.ts'
import type { ProviderSignInServices } from './sign-in-providers/sign-in-with-provider.ts'

/** How long a verified PIN is valid as a proof. */
const PROVEN_SECONDS = 300

/** The proof that a person may use or change a profile. */
export type ProfileProof = {
  /** The PIN of the profile. */
  pin?: string | undefined
  /** The password of the account. */
  password?: string | undefined
  clientAddress: string
  /** Who may sign in with a password of this server. */
  local: LocalSignIn
  signal?: AbortSignal | undefined
}

type Dependencies = ProviderSignInServices

/**
 * Verifies the PIN of a profile of the account, and stores that the session has verified it.
 * @throws AppError `profile.pin_mismatch`, `profile.no_pin`, `rate_limited`
 */
export async function verifyAndRecordPin(
  needs: Dependencies,
  {
    session,
    profile,
    ...attempt
  }: Pick<ProfileProof, 'clientAddress' | 'signal'> & {
    pin: string
    session: Session
    profile: Pick<Profile, 'id'>
  },
): Promise<void> {
  await verifyPin(needs, { profile, ...attempt })
  await updateLastVerifiedProfile(needs.db, {
    sessionId: session.sessionId,
    profileId: profile.id,
    now: needs.clock.now(),
  })
}

/**
 * Requires the PIN of a profile, which may have been verified in the last five minutes, or the password of the account.
 * @param input.isRecentSignInEnough whether a sign-in in the last ten minutes counts as the password
 * @throws AppError `profile.proof_required`, `profile.pin_mismatch`, `profile.no_pin`, `profile.password_mismatch`, `rate_limited`
 */
export async function requireProfileProof(
  needs: Dependencies,
  {
    session,
    profile,
    proof,
    isRecentSignInEnough = false,
  }: {
    session: Session
    profile: Pick<Profile, 'id' | 'hasPin'>
    proof: ProfileProof
    isRecentSignInEnough?: boolean
  },
): Promise<void> {
  const { pin, clientAddress, signal } = proof
  if (proof.password !== undefined) return checkPassword(needs, session, { ...proof, password: proof.password })
  if (pin !== undefined) return verifyPin(needs, { profile, pin, clientAddress, signal })
  if (await isProven(needs, { session, profile })) return
  if (isRecentSignInEnough && (await hasRecentSignIn(needs.db, { session, now: needs.clock.now() }))) return
  throw profileErrors.proof_required({ details: { proofs: [...(profile.hasPin ? ['pin'] : []), 'password'] } })
}

async function isProven(
  { db, clock }: Dependencies,
  { session, profile }: { session: Session; profile: Pick<Profile, 'id'> },
): Promise<boolean> {
  const { provenProfileId, provenAt } = (await selectLastVerifiedProfile(db, session)) ?? {}
  if (provenProfileId !== profile.id || provenAt === null || provenAt === undefined) return false
  // The absolute value: a clock that was set back does not make an old proof valid for longer.
  return Math.abs(clock.now().getTime() - provenAt.getTime()) <= PROVEN_SECONDS * 1000
}

/** The same check, and the same limits of failures, as at a sign-in. A wrong password must not look like the end of the session. */
async function checkPassword(
  needs: Dependencies,
  { accountId }: Session,
  { password, clientAddress, local, signal }: ProfileProof & { password: string },
): Promise<void> {
  const { username } = await getAccount(needs, { accountId })
  const login = {
    usernameOrEmail: username,
    password,
    clientAddress,
    local,
    ...(signal === undefined ? {} : { signal }),
  }
  try {
    const { id } = await logIn(needs, login)
    if (id !== accountId) throw accountErrors.invalid_credentials()
  } catch (error) {
    const isWrong = error instanceof AppError && error.kind === 'unauthenticated'
    throw isWrong ? profileErrors.password_mismatch({ cause: error }) : error
  }
}
