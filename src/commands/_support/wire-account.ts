import type { Account } from '../../core/accounts/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'

/** An account as JSON, with the keys of `user` in the HTTP API. */
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

/** The same with its times, with the keys of `user` in `/auth/me`. */
export function wireAccountWithTimes(account: Account): Record<string, unknown> {
  return {
    ...wireAccount(account),
    created_at: toIsoTimestamp(account.createdAt),
    updated_at: toIsoTimestamp(account.updatedAt),
    last_login: isoTimestampOrNull(account.lastLoginAt),
  }
}
