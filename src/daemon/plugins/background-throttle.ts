import { beginForegroundRequest } from '../../core/platform/threads/index.ts'
import type { App } from '../http/app-types.ts'

/**
 * Work in the background waits while a request is answered: until the answer is known, not until a film has been sent. It does not wait
 * for answers about its own progress: a client that polls them would make the work that it watches half as long again.
 */
export function installBackgroundThrottle(app: App): void {
  app.decorateRequest('endForegroundRequest')
  app.addHook('onRequest', async (request, reply) => {
    const { isStatusPoll = false } = request.routeOptions.config
    const end = isStatusPoll ? () => {} : beginForegroundRequest()
    request.endForegroundRequest = end
    reply.raw.once('close', end)
  })
  app.addHook('onSend', async (request) => request.endForegroundRequest())
}
