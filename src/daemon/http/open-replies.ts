import type { FastifyReply } from 'fastify'
import type { FindSessionAccount, Session } from '../../core/accounts/index.ts'

type OpenReply = Session & { reply: Pick<FastifyReply['raw'], 'headersSent' | 'writableEnded' | 'destroy'> }

/** The replies of this process that belong to a session. */
export type OpenReplies = {
  /** @returns removes the reply */
  add(reply: OpenReply): () => void
  /**
   * Cuts off the replies whose session has ended or whose account may not sign in. Only those of which a part was sent are concerned: other
   * ones are short, and one of them may be that to the request which ends the session.
   * @param accountId only those of this account
   */
  endThoseWithoutSession(accountId?: string): Promise<void>
}

export function createOpenReplies({ findSessionAccount }: { findSessionAccount: FindSessionAccount }): OpenReplies {
  const open = new Set<OpenReply>()

  async function check(opened: OpenReply): Promise<void> {
    const account = await findSessionAccount({ accountId: opened.accountId, sessionId: opened.sessionId })
    if (account?.status !== 'active' && isBeingSent(opened)) opened.reply.destroy()
  }

  return {
    add(reply) {
      open.add(reply)
      return () => void open.delete(reply)
    },
    async endThoseWithoutSession(accountId) {
      const concerned = [...open].filter((one) => isBeingSent(one) && (accountId ?? one.accountId) === one.accountId)
      // In the same tick, so that their sessions are read with one query.
      await Promise.all(concerned.map(check))
    },
  }
}

function isBeingSent({ reply }: OpenReply): boolean {
  return reply.headersSent && !reply.writableEnded
}
