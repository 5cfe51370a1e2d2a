import type { FastifyRequest } from 'fastify'
import type { App } from '../http/app-types.ts'
import { createLongListLimit, createRequestLimit, createSingleLimit } from '../http/concurrency-limit.ts'

/**
 * Limits the concurrent requests of each account, and of these the ones with a long list as reply. Further requests wait, and their bodies
 * are not read until then. One user with many requests therefore cannot take all processor time or memory. The same applies to the guests
 * of a share link at one address.
 * Media bytes are exempt, because players keep those requests open. Routes with a limit of their own are exempt too.
 */
export function installConcurrencyLimit(app: App): void {
  const limit = createRequestLimit()
  const longLists = createLongListLimit()
  const single = createSingleLimit()
  app.decorateRequest('releaseConcurrencySlot')
  app.decorateRequest('acquireLongListSlot')
  app.addHook('onRequest', async (request, reply) => {
    const caller = callerOf(request)
    if (caller === undefined) return
    const disconnected = new AbortController()
    const abort = (): void => disconnected.abort()
    reply.raw.once('close', abort)
    request.acquireLongListSlot = () => longLists.acquire(caller, disconnected.signal)
    const { isOneAtATime = false } = request.routeOptions.config
    const release = await (isOneAtATime ? single : limit).acquire(caller, disconnected.signal)
    if (isOneAtATime) return reply.raw.closed ? release() : void reply.raw.once('close', release)
    // A disconnect does not end the work: the slot is released when the reply has been made and the response stream is closed.
    let [isAnswered, isClosed] = [false, reply.raw.closed]
    const check = (): void => {
      if (isAnswered && isClosed) release()
    }
    request.releaseConcurrencySlot = () => {
      if (isAnswered) return
      isAnswered = true
      check()
    }
    if (isClosed) return
    reply.raw.once('close', () => {
      isClosed = true
      check()
    })
  })
  app.addHook('onSend', async (request) => request.releaseConcurrencySlot?.())
}

/** Whose requests are counted; undefined for a request without a limit. */
function callerOf({ account, guest, clientAddress, routeOptions }: FastifyRequest): string | undefined {
  const { access, hasOwnLimit = false } = routeOptions.config
  if (hasOwnLimit) return undefined
  if (access === 'guest' && guest !== null) return `${guest.shareId} ${clientAddress}`
  return access === 'user' ? account?.id : undefined
}
