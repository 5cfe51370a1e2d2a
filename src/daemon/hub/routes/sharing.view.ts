import type { InviteLink, ServerShare } from '../../../core/hub/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../../core/platform/time/index.ts'

export function inviteLinkView(invite: InviteLink) {
  return {
    id: invite.id,
    server_id: invite.serverId,
    server_name: invite.serverName,
    library_ids: invite.libraryIds,
    created_at: toIsoTimestamp(invite.createdAt),
    expires_at: toIsoTimestamp(invite.expiresAt),
    used_at: isoTimestampOrNull(invite.usedAt),
  }
}

/** The reply with a new invitation, whose code is shown only now. */
export function newInviteView(
  { id, code, expiresAt }: { id: string; code: string; expiresAt: Date },
  hubOrigin: string,
) {
  return { id, code, url: `${hubOrigin}/#invite=${code}`, expires_at: toIsoTimestamp(expiresAt) }
}

export function shareView(share: ServerShare) {
  return {
    id: share.id,
    server_id: share.serverId,
    server_name: share.serverName,
    user_id: share.userId,
    username: share.username,
    owner: share.ownerName,
    library_ids: share.libraryIds,
    created_at: toIsoTimestamp(share.createdAt),
  }
}
