import {
  endSession,
  startRefreshSession,
  type Account,
  type LoggedIn,
  type RefreshToken,
} from '../../../core/accounts/index.ts'
import type { RouteContext } from '../../http/app-types.ts'
import { bearerTokenOf, identify } from '../../plugins/authentication.ts'
import { signedInView } from './signed-in.view.ts'

type SigningRequest = { clientAddress: string; headers: { 'user-agent'?: string | undefined } }

/** Starts a session for an authenticated account and replies with its first token pair. */
export async function signIn(context: RouteContext, account: LoggedIn, request: SigningRequest) {
  return signedInReply(context, account, await startSession(context, account, request))
}

/** Starts a session for an authenticated account. */
export function startSession(
  { services }: RouteContext,
  { id: accountId, signInLink }: LoggedIn,
  { clientAddress, headers }: SigningRequest,
): Promise<RefreshToken> {
  return startRefreshSession(services, { accountId, signInLink, clientAddress, userAgent: headers['user-agent'] })
}

/** The common reply of all routes that sign in. */
export function signedInReply({ tokens }: RouteContext, account: Account, token: RefreshToken) {
  return signedInView(
    account,
    tokens.issueAccess({ accountId: account.id, sessionId: token.familyId }),
    tokens.issueRefresh(token),
  )
}

/**
 * Ends the session of a bearer token, for a logout without a refresh token. Does nothing without a bearer token.
 * @throws AppError `auth.required` for an invalid token
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
