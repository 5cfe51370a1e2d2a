import type { SignedInAccount } from '../../../core/accounts/index.ts'
import { sessionProfileView, userView } from '../../../core/views/index.ts'
import { ACCESS_TOKEN_SECONDS } from '../../http/tokens.ts'

/** The reply of login, register and refresh. */
export function signedInView(account: SignedInAccount, accessToken: string, refreshToken: string) {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer' as const,
    expires_in: ACCESS_TOKEN_SECONDS,
    user: userView(account),
    profile: sessionProfileView(account.profile),
  }
}
