import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { withTimeLimit } from '../../platform/concurrency/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { rateLimitedError } from '../../platform/rate-limits/index.ts'
import { watchGroupErrors } from '../group/errors.ts'
import type { ProcessLink } from './process-link.ts'

const Joiner = z.object({
  profileId: z.string(),
  username: z.string(),
  sessionId: z.string(),
  name: z.string().optional(),
  clientHash: z.string().optional(),
  resumeToken: z.string().optional(),
  reportsReadiness: z.boolean(),
})

/** A request to the process that owns the group. */
const Request = z.object({ action: z.enum(['join', 'leave']), groupId: z.string(), joiner: Joiner })

export type ProcessRequest = z.infer<typeof Request>

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id: z.string(), from: z.string(), request: Request }),
  z.object({ kind: z.literal('reply'), id: z.string(), result: z.record(z.string(), z.unknown()) }),
  z.object({ kind: z.literal('failure'), id: z.string(), code: z.string(), retryAfterSeconds: z.number().optional() }),
])

/** Calls between processes, with a reply. */
export type ProcessCalls = {
  /** @throws the AppError of the other process; `group_unreachable` without a reply in 5 s */
  call(processId: string, request: ProcessRequest): Promise<Record<string, unknown>>
  /** Returns false for messages of other kinds. */
  receive(message: unknown): boolean
}

const LIMIT_MILLISECONDS = 5000

/** @param answer handles a request of another process; its result must be JSON */
export function createProcessCalls(
  { link, log }: { link: ProcessLink; log: Logger },
  answer: (request: ProcessRequest) => Record<string, unknown>,
): ProcessCalls {
  const open = new Map<string, PromiseWithResolvers<Record<string, unknown>>>()

  async function reply(id: string, from: string, request: ProcessRequest): Promise<void> {
    try {
      await link.send(from, answerOf(id, request))
    } catch (error) {
      log.warning({ reason: describeError(error) }, 'a reply to another process was lost')
    }
  }

  function answerOf(id: string, request: ProcessRequest): object {
    try {
      return { kind: 'reply', id, result: answer(request) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { kind: 'failure', id, code: error.code, retryAfterSeconds: error.retryAfterSeconds }
    }
  }

  return {
    async call(processId, request) {
      const id = randomUUID()
      const pending = Promise.withResolvers<Record<string, unknown>>()
      open.set(id, pending)
      try {
        await link.send(processId, { kind: 'call', id, from: link.processId, request })
        return await withTimeLimit(pending.promise, {
          milliseconds: LIMIT_MILLISECONDS,
          onTimeout: () => {
            throw watchGroupErrors.group_unreachable()
          },
        })
      } finally {
        open.delete(id)
      }
    },
    receive(received) {
      const { success, data } = Message.safeParse(received)
      if (!success) return false
      if (data.kind === 'call') void reply(data.id, data.from, data.request)
      else if (data.kind === 'reply') open.get(data.id)?.resolve(data.result)
      else open.get(data.id)?.reject(errorOf(data))
      return true
    },
  }
}

function errorOf({ code, retryAfterSeconds = 1 }: Extract<z.infer<typeof Message>, { kind: 'failure' }>): AppError {
  const limited = rateLimitedError(retryAfterSeconds * 1000)
  if (code === limited.code) return limited
  const factory = Object.values(watchGroupErrors).find(({ definition }) => definition.code === code)
  return (factory ?? watchGroupErrors.group_unreachable)()
}
