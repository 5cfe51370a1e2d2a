import { endSession, startRefreshSession, type Account, type RefreshToken } from '../../../core/accounts/index.ts'
import type { RouteContext } from '../../http/app-types.ts'
import { bearerTokenOf, identify } from '../../plugins/authentication.ts'
import { signedInView } from './accounts.view.ts'

/** Starts a session for an account that has proved who it is, by whatever means, and answers its first pair of tokens. */
export async function signIn(context: RouteContext, account: Account, clientAddress: string) {
  const token = await startRefreshSession(context.services, { accountId: account.id, clientAddress })
  return signedInReply(context, account, token)
}

/** The reply of everything that signs in (decisions 3.4, Replies). */
export function signedInReply({ tokens }: RouteContext, account: Account, token: RefreshToken) {
  return signedInView(
    account,
    tokens.issueAccess({ accountId: account.id, sessionId: token.familyId }),
    tokens.issueRefresh(token),
  )
}

/**
 * Ends the session of a bearer token, for a logout that names no refresh token; without a bearer there is none to end.
 * @throws AppError `auth.required` for a token that is not good
 */
export async function endSessionOfBearer(
  { services, tokens }: RouteContext,
  headers: NodeJS.Dict<string[]>,
): Promise<void> {
  const token = bearerTokenOf(headers)
  if (token === undefined) return
  const { account, sessionId } = await identify({ services, tokens }, token)
  await endSession(services, { accountId: account.id, sessionId })
}
