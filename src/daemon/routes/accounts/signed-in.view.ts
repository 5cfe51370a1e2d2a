import type { SignedInAccount } from '../../../core/accounts/index.ts'
import { sessionProfileView, userView } from '../../../core/views/index.ts'
import { ACCESS_TOKEN_SECONDS } from '../../http/tokens.ts'

/** The reply of all routes that sign in, without a refresh token. */
export function signedInView(account: SignedInAccount, accessToken: string) {
  return {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: ACCESS_TOKEN_SECONDS,
    user: userView(account),
    profile: sessionProfileView(account.profile),
  }
}
