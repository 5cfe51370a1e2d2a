import { startRefreshSession, type Account, type RefreshToken } from '../../../core/accounts/index.ts'
import type { RouteContext } from '../../http/app-types.ts'
import { signedInView } from './accounts.view.ts'

/** Starts a session for an account that has proved who it is, by whatever means, and answers its first pair of tokens. */
export async function signIn(context: RouteContext, account: Account) {
  return signedInReply(context, account, await startRefreshSession(context.services, { accountId: account.id }))
}

/** The reply of everything that signs in (decisions 3.4, Replies). */
export function signedInReply({ tokens }: RouteContext, account: Account, token: RefreshToken) {
  return signedInView(account, tokens.issueAccess(account.id), tokens.issueRefresh(token))
}
