import type { FastifyRequest } from 'fastify'
import type { Account } from '../../core/accounts/index.ts'
import { httpErrors } from '../errors.ts'

/**
 * Returns the signed-in account of a request.
 * @throws AppError `auth.required` when the request is not signed in
 */
export function signedInAccount({ account }: Pick<FastifyRequest, 'account'>): Account {
  if (account === null) throw httpErrors.auth_required()
  return account
}

/**
 * Returns the account and the session of a request.
 * @throws AppError `auth.required` when the request is not signed in
 */
export function signedInSession({ account, sessionId }: Pick<FastifyRequest, 'account' | 'sessionId'>): {
  account: Account
  sessionId: string
} {
  if (account === null || sessionId === null) throw httpErrors.auth_required()
  return { account, sessionId }
}
