import type { Connection } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import { getProfile, lockProfile, profileErrors, type Profile } from '../profiles/index.ts'
import type { SignedInAccount } from './account.ts'
import { accountErrors } from './errors.ts'
import { requireProfileProof, type ProfileProof } from './prove-profile.ts'
import { deleteRefreshTokens, selectUnusedRefreshTokens, updateSessionProfile } from './queries/session-profiles.ts'
import { insertRefreshToken, markRefreshTokenUsed } from './queries/sessions.ts'
import { generateRefreshToken } from './refresh-session.ts'
import { requireFullSession } from './require-full-session.ts'
import type { RefreshToken, SessionInProfile } from './session.ts'
import type { ProviderSignInServices } from './sign-in-providers/sign-in-with-provider.ts'

type Dependencies = ProviderSignInServices & { events: Pick<EventBus, 'publish'> }

/**
 * Switches a session to another profile of its account. Its present access tokens are refused from now on. Its refresh token is used up, and the
 * new token is its successor. A refresh token in the cookie of the web page stays, because no script can have copied it. A switch to a profile
 * with a PIN, and a switch away from a profile for a child, need the PIN or the password. The password also counts as a sign-in in the profile,
 * which may be the one in use.
 * @returns the session, and its new refresh token; null: the one in the cookie stays
 * @throws AppError `profile_not_found`, those of `requireProfileProof`, `session_ended`, `full_session_required`
 */
export async function switchProfile(
  needs: Dependencies,
  input: { account: SignedInAccount; sessionId: string; profileId: string; proof: ProfileProof },
): Promise<SessionInProfile & { token: RefreshToken | null }> {
  const { account, sessionId, proof } = input
  const session = { accountId: account.id, sessionId }
  const profile = await getProfile(needs, { id: input.profileId, accountId: account.id })
  await requireFullSession(needs.db, session)
  const isSignIn = proof.password !== undefined
  if (isSignIn || needsProof(account, profile)) await requireProfileProof(needs, { session, profile, proof })
  const now = needs.clock.now()
  const token = await needs.db.transaction(async (connection) => {
    await lockProfile(connection, profile.id)
    // Of two switches at once, the second one finds that its epoch has ended.
    const change = { ...session, epoch: account.epoch, profileId: profile.id, authenticatedAt: isSignIn ? now : null }
    const changed = await updateSessionProfile(connection, change)
    if (changed === undefined) throw accountErrors.session_ended()
    return changed.isInCookie ? null : replaceTokens(connection, sessionId, now)
  })
  needs.events.publish('account.changed', { accountId: account.id })
  return { ...session, profileId: profile.id, epoch: account.epoch + 1, token }
}

async function replaceTokens(connection: Connection, sessionId: string, now: Date): Promise<RefreshToken> {
  const [current, ...others] = await selectUnusedRefreshTokens(connection, { sessionId, now })
  await deleteRefreshTokens(connection, others)
  const successor = await insertRefreshToken(connection, { familyId: sessionId, ...generateRefreshToken(now) })
  if (current !== undefined) await markRefreshTokenUsed(connection, { jti: current, successorJti: successor.jti, now })
  return successor
}

/** The profile in use needs none for itself. */
function needsProof({ profile: current }: SignedInAccount, target: Pick<Profile, 'id' | 'hasPin'>): boolean {
  return target.id !== current.id && (target.hasPin || current.isKids)
}

/**
 * Whether a profile may be used for something beside a switch, such as the session of another device: without its PIN only if it has none.
 * @throws AppError those of `requireProfileProof`
 */
export async function requireUseOfProfile(
  needs: ProviderSignInServices,
  input: { account: SignedInAccount; sessionId: string; profile: Profile; proof: ProfileProof },
): Promise<void> {
  const { account, sessionId, profile, proof } = input
  if (account.profile.isRestricted) throw profileErrors.restricted()
  if (needsProof(account, profile))
    await requireProfileProof(needs, { session: { accountId: account.id, sessionId }, profile, proof })
}
