import type { Invite } from '../../core/accounts/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'

/** An invite as JSON. */
export function wireInvite({ id, createdAt, expiresAt, usedAt, usedBy }: Invite) {
  return {
    id,
    created_at: toIsoTimestamp(createdAt),
    expires_at: toIsoTimestamp(expiresAt),
    used_at: isoTimestampOrNull(usedAt),
    used_by: usedBy,
  }
}
