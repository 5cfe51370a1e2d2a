import { HUB_ACCESS_TOKEN_SECONDS } from '../../../core/hub/index.ts'

type Person = { id: string; username: string; email: string; isAdmin: boolean }

export const personView = ({ id, username, email, isAdmin }: Person) => ({ id, username, email, is_admin: isAdmin })

/** The reply of all routes that sign in, without a refresh token. */
export function pageSignedInView(user: Person, accessToken: string) {
  return {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: HUB_ACCESS_TOKEN_SECONDS,
    user: personView(user),
  }
}
