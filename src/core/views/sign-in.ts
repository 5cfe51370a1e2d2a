import type { SignIn } from '../accounts/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/** An active session of an account. */
export function signInView(signIn: SignIn) {
  return {
    id: signIn.id,
    user_id: signIn.accountId,
    username: signIn.username,
    created_at: toIsoTimestamp(signIn.createdAt),
    last_used_at: isoTimestampOrNull(signIn.lastUsedAt),
    expires_at: isoTimestampOrNull(signIn.expiresAt),
  }
}
