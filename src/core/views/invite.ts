import type { Invite } from '../accounts/index.ts'
import { accessView } from './account.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/** An invite without its code, of which only a digest is stored. */
export function inviteView({ id, createdAt, expiresAt, access, maxUses, uses, usedAt, usernames }: Invite) {
  return {
    id,
    created_at: toIsoTimestamp(createdAt),
    expires_at: toIsoTimestamp(expiresAt),
    access: accessView(access),
    max_uses: maxUses,
    uses,
    used_at: isoTimestampOrNull(usedAt),
    used_by: usernames.at(-1) ?? null,
    usernames: [...usernames],
  }
}

/** The facts about an invite that a person gets before the registration. */
export function inviteSummaryView({ expiresAt }: Pick<Invite, 'expiresAt'>) {
  return { expires_at: toIsoTimestamp(expiresAt) }
}
