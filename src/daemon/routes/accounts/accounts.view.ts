import type { Account } from '../../../core/accounts/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../../core/platform/time/index.ts'
import { ACCESS_TOKEN_SECONDS } from '../../http/tokens.ts'

/** The `user` object of sign-in replies. */
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

/** The same with its times, for `/auth/me` and for administrators. */
export function accountView(account: Account) {
  return {
    ...userView(account),
    created_at: toIsoTimestamp(account.createdAt),
    updated_at: toIsoTimestamp(account.updatedAt),
    last_login: isoTimestampOrNull(account.lastLoginAt),
  }
}

/** The reply of login, register and refresh. */
export function signedInView(account: Account, accessToken: string, refreshToken: string) {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer' as const,
    expires_in: ACCESS_TOKEN_SECONDS,
    user: userView(account),
  }
}
