import type { AccessRule } from '../access/index.ts'
import type { StreamLimits } from '../playback-limits/index.ts'
import type { Account } from '../accounts/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/** The `user` object of sign-in replies and of commands that change an account. */
export function userView(account: Account) {
  return {
    id: account.id,
    email: account.email,
    username: account.username,
    is_admin: account.isAdmin,
    display_name: account.displayName,
    avatar_url: account.avatarUrl,
    status: account.status,
  }
}

/** An account with its times, for lists of accounts and for `/auth/me`. */
export function accountView(account: Account) {
  return {
    ...userView(account),
    created_at: toIsoTimestamp(account.createdAt),
    updated_at: toIsoTimestamp(account.updatedAt),
    last_login: isoTimestampOrNull(account.lastLoginAt),
  }
}

/** The first keys of an export of an account. */
export function accountExportHeadView({
  account,
  access,
  streams,
  exportedAt,
}: AccountLimits & { account: Account; exportedAt: Date }) {
  return {
    format: 'phlix-account/1',
    exported_at: toIsoTimestamp(exportedAt),
    account: limitedAccountView(account, { access, streams }),
  }
}

/** What an account may see, and how much it may play at a time. */
type AccountLimits = { access: AccessRule; streams: StreamLimits }

/** An account with its limits; the schedules of its main profile are not among them. */
export function limitedAccountView(account: Account, { access, streams }: AccountLimits) {
  return {
    ...accountView(account),
    access: accessView(access),
    can_download: account.mayDownload,
    stream_limits: streamLimitsView(streams),
  }
}

/** What an account may see; `library_ids` and `max_age` are null without a limit, lists of tags are empty. */
export function accessView({ libraryIds, maxAge, allowsUnrated, blockedTags, allowedTags }: AccessRule) {
  return {
    library_ids: libraryIds === null ? null : [...libraryIds],
    max_age: maxAge,
    allow_unrated: allowsUnrated,
    blocked_tags: [...blockedTags],
    allowed_tags: allowedTags.flat(),
  }
}

/** All limits of an account. */
export function accountLimitsView({
  account,
  access,
  streams,
}: {
  account: Pick<Account, 'mayDownload'>
  access: AccessRule
  streams: StreamLimits
}) {
  return { ...accessView(access), can_download: account.mayDownload, ...streamLimitsView(streams) }
}

/** How much an account or a profile may play at a time; null without a limit. */
export function streamLimitsView({ maxStreams, maxKbps }: StreamLimits) {
  return { max_concurrent_streams: maxStreams, max_total_bandwidth_kbps: maxKbps }
}
