import type { FastifyRequest } from 'fastify'
import type { Account } from '../../core/accounts/index.ts'
import { httpErrors } from '../errors.ts'

/**
 * Who is signed in, on a route that lets in nobody else.
 * @throws AppError `auth.required` on routes that let others in too
 */
export function signedInAccount({ account }: Pick<FastifyRequest, 'account'>): Account {
  if (account === null) throw httpErrors.auth_required()
  return account
}

/**
 * The same with the session whose access token was sent.
 * @throws AppError `auth.required` on routes that let others in too
 */
export function signedInSession({ account, sessionId }: Pick<FastifyRequest, 'account' | 'sessionId'>): {
  account: Account
  sessionId: string
} {
  if (account === null || sessionId === null) throw httpErrors.auth_required()
  return { account, sessionId }
}
