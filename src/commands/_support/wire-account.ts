import type { Account } from '../../core/accounts/index.ts'

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
