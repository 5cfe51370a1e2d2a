import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../core/platform/errors/index.ts'
import { userItemErrors } from '../../../core/user-items/index.ts'

/** The one reply of this resource that the contract gives without `code` (document 1, Errors); all others go the common way. */
export function answerLikeError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof AppError) || error.code !== userItemErrors.invalid_level.definition.code) throw error
  request.failure = error
  reply.code(400).send({ error: error.title })
}
