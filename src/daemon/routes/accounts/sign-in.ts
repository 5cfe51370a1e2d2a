import type { FastifyRequest } from 'fastify'
import {
  asMainProfile,
  endSession,
  startRefreshSession,
  type Account,
  type DeviceInput,
  type LoggedIn,
  type RefreshToken,
  type SessionInProfile,
} from '../../../core/accounts/index.ts'
import type { RouteContext } from '../../http/app-types.ts'
import { readDeviceDescription } from '../../http/request-device.ts'
import { readBearerToken, authenticateBearer } from '../../hooks/authentication.ts'
import { signedInView } from './signed-in.view.ts'

/** What some clients say about their device in the body of a sign-in; others send it in headers. */
export type DeviceBody = { device_id?: string; device_name?: string; device_type?: string }

/** Starts a session for an authenticated account and replies with its first token pair. */
export async function signIn(context: RouteContext, account: LoggedIn, request: FastifyRequest, body: DeviceBody = {}) {
  return signedInReply(context, account, await startSession(context, account, request, body))
}

/** Starts a session for an authenticated account. */
export function startSession(
  { services }: RouteContext,
  { id: accountId, signInLink }: LoggedIn,
  request: FastifyRequest,
  body: DeviceBody = {},
): Promise<RefreshToken> {
  const { clientAddress } = request
  return startRefreshSession(services, { accountId, signInLink, clientAddress, device: readDeviceInput(request, body) })
}

/** The device of a request, by its body, else by its headers. */
export function readDeviceInput(request: FastifyRequest, body: DeviceBody): DeviceInput {
  const { deviceId: id, deviceName: name, deviceType: type } = readDeviceDescription(request, body)
  return { id, name, type, userAgent: request.headers['user-agent'] }
}

/** The common reply of all routes that sign in. */
export async function signedInReply(context: RouteContext, account: Account, token: RefreshToken) {
  const reply = await pageSignedInReply(context, account, { ...token, sessionId: token.familyId })
  return { ...reply, refresh_token: context.tokens.issueRefresh(token) }
}

/** The same without the refresh token, for sessions whose refresh token is in the cookie of the web page. */
export async function pageSignedInReply(
  { services, tokens }: RouteContext,
  account: Account,
  { sessionId, profileId, epoch }: Omit<SessionInProfile, 'accountId'>,
) {
  const session = { accountId: account.id, sessionId }
  const signedIn = await services.findSessionAccount(session)
  // Ended in the meantime: the next request says so.
  return signedInView(signedIn ?? asMainProfile(account), tokens.issueAccess({ ...session, profileId, epoch }))
}

/**
 * Ends the session of a bearer token, for a logout without a refresh token. Does nothing without a bearer token.
 * @throws AppError `auth.required` for an invalid token
 */
export async function endSessionOfBearer(
  { services, tokens }: RouteContext,
  headers: NodeJS.Dict<string[]>,
): Promise<void> {
  const token = readBearerToken(headers)
  if (token === undefined) return
  const { account, sessionId } = await authenticateBearer({ services, tokens }, token)
  await endSession(services, { accountId: account.id, sessionId })
}
