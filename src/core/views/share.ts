import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'
import type { Share, SharedItem } from '../shares/index.ts'

/** A share link without its token. */
export function shareView(share: Share) {
  return {
    id: share.id,
    user_id: share.accountId,
    username: share.username,
    kind: share.kind,
    subject_id: share.subjectId,
    title: share.title,
    has_password: share.hasPassword,
    allow_download: share.allowsDownload,
    max_uses: share.maxUses,
    uses: share.uses,
    created_at: toIsoTimestamp(share.createdAt),
    expires_at: toIsoTimestamp(share.expiresAt),
    last_used_at: isoTimestampOrNull(share.lastUsedAt),
    last_address: share.lastAddress,
  }
}

/** An entry of a link, for guests. */
export function sharedItemView(item: SharedItem) {
  return {
    id: item.id,
    kind: item.kind,
    title: item.title,
    year: item.year,
    season_number: item.seasonNumber,
    episode_number: item.episodeNumber,
    artist: item.artist,
    duration_seconds: item.durationSeconds,
    width: item.width,
    height: item.height,
  }
}
