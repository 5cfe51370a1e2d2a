import type { App } from '../http/app-types.ts'
import { createLongListLimit, createRequestLimit } from '../http/concurrency-limit.ts'

/**
 * Limits the concurrent requests of each account, and of these the ones with a long list as reply. Further requests wait, and their bodies
 * are not read until then. One user with many requests therefore cannot take all processor time or memory.
 * Media bytes are exempt, because players keep those requests open. Routes with a limit of their own are exempt too.
 */
export function installConcurrencyLimit(app: App): void {
  const limit = createRequestLimit()
  const longLists = createLongListLimit()
  app.decorateRequest('releaseConcurrencySlot')
  app.decorateRequest('acquireLongListSlot')
  app.addHook('onRequest', async (request, reply) => {
    const { account, routeOptions } = request
    const { access, hasOwnLimit = false } = routeOptions.config
    if (account === null || access !== 'user' || hasOwnLimit) return
    const disconnected = new AbortController()
    const abort = (): void => disconnected.abort()
    reply.raw.once('close', abort)
    request.acquireLongListSlot = () => longLists.acquire(account.id, disconnected.signal)
    const release = await limit.acquire(account.id, disconnected.signal)
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
