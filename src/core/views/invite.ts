import type { Invite } from '../accounts/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/** An invite without its code, of which only a digest is stored. */
export function inviteView({ id, createdAt, expiresAt, usedAt, usedBy }: Invite) {
  return {
    id,
    created_at: toIsoTimestamp(createdAt),
    expires_at: toIsoTimestamp(expiresAt),
    used_at: isoTimestampOrNull(usedAt),
    used_by: usedBy,
  }
}
