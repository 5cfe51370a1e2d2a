import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../core/platform/errors/index.ts'
import { userItemErrors } from '../../../core/user-items/index.ts'

/** The only error of this resource whose body has no `code`, as the API requires. All other errors use the common body. */
export function sendLikeError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof AppError) || error.code !== userItemErrors.invalid_level.definition.code) throw error
  request.failure = error
  reply.code(400).send({ error: error.title })
}
