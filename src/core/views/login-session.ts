import type { LoginSession } from '../accounts/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/** An active session of an account. */
export function loginSessionView(session: LoginSession) {
  return {
    id: session.id,
    user_id: session.accountId,
    username: session.username,
    created_at: toIsoTimestamp(session.createdAt),
    last_used_at: isoTimestampOrNull(session.lastUsedAt),
    expires_at: isoTimestampOrNull(session.expiresAt),
  }
}
