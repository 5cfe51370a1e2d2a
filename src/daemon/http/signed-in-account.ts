import type { FastifyRequest } from 'fastify'
import { requireFullSession, type SignedInAccount } from '../../core/accounts/index.ts'
import type { Connection } from '../../core/platform/database/index.ts'
import { httpErrors } from '../errors.ts'

/**
 * Returns the signed-in account of a request.
 * @throws AppError `auth.required` when the request is not signed in
 */
export function signedInAccount({ account }: Pick<FastifyRequest, 'account'>): SignedInAccount {
  if (account === null) throw httpErrors.auth_required()
  return account
}

/**
 * Returns the id of the profile of a request, to which the state of watching belongs.
 * @throws AppError `auth.required` when the request is not signed in
 */
export function requireProfileId(request: Pick<FastifyRequest, 'account'>): string {
  return signedInAccount(request).profile.id
}

/**
 * Returns the account and the session of a request.
 * @throws AppError `auth.required` when the request is not signed in
 */
export function signedInSession({ account, sessionId }: Pick<FastifyRequest, 'account' | 'sessionId'>): {
  account: SignedInAccount
  sessionId: string
} {
  if (account === null || sessionId === null) throw httpErrors.auth_required()
  return { account, sessionId }
}

/**
 * Returns the account and the session of a request. For what concerns the account beyond the session.
 * @throws AppError `auth.required`, `session_ended`; `full_session_required` for a user of the hub
 */
export async function requireFullSessionOfRequest(
  { db }: { db: Connection },
  request: Pick<FastifyRequest, 'account' | 'sessionId'>,
): Promise<{ account: SignedInAccount; sessionId: string }> {
  const signedIn = signedInSession(request)
  await requireFullSession(db, { accountId: signedIn.account.id, sessionId: signedIn.sessionId })
  return signedIn
}
