import type { FastifyReply } from 'fastify'

type OpenReply = {
  /** Undefined if only the session is known. */
  accountId: string | undefined
  /** Whether the session or the API key of the request may still be used. */
  mayContinue: () => Promise<boolean>
  reply: Pick<FastifyReply['raw'], 'headersSent' | 'writableEnded' | 'destroy'>
}

/** The replies of this process that belong to a session or an API key. */
export type OpenReplies = {
  /** @returns removes the reply */
  add(reply: OpenReply): () => void
  /**
   * Cuts off the replies that may not continue. Only replies of which a part was sent are cut off. Other replies are short, and one of them
   * may answer the request that ends the session.
   * @param accountId only those of this account
   */
  endUnauthorized(accountId?: string): Promise<void>
}

export function createOpenReplies(): OpenReplies {
  const open = new Set<OpenReply>()

  async function check(opened: OpenReply): Promise<void> {
    if (!(await opened.mayContinue()) && isBeingSent(opened)) opened.reply.destroy()
  }

  return {
    add(reply) {
      open.add(reply)
      return () => void open.delete(reply)
    },
    async endUnauthorized(accountId) {
      const concerned = [...open].filter(
        (one) =>
          isBeingSent(one) && (accountId === undefined || one.accountId === undefined || one.accountId === accountId),
      )
      // In the same tick, so that their sessions are read with one query.
      await Promise.all(concerned.map(check))
    },
  }
}

function isBeingSent({ reply }: OpenReply): boolean {
  return reply.headersSent && !reply.writableEnded
}
