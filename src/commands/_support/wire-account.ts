import type { Account } from '../../core/accounts/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'

/** An account as JSON: the same names as `user` in the HTTP API (decisions 3.4, Replies). */
export function wireAccount(account: Account): Record<string, unknown> {
  return {
    id: account.id,
    username: account.username,
    email: account.email,
    display_name: account.displayName,
    avatar_url: account.avatarUrl,
    is_admin: account.isAdmin,
    status: account.status,
  }
}

/** The same with its times: the names of `user` in `/auth/me`. */
export function wireAccountWithTimes(account: Account): Record<string, unknown> {
  return {
    ...wireAccount(account),
    created_at: toIsoTimestamp(account.createdAt),
    updated_at: toIsoTimestamp(account.updatedAt),
    last_login: isoTimestampOrNull(account.lastLoginAt),
  }
}
