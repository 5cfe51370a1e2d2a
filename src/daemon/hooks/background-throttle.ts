import type { BackgroundThrottle } from '../../core/platform/threads/index.ts'
import type { App } from '../http/app-types.ts'

/**
 * Pauses background work while a request is processed: until the response starts, not until a film has been sent. Requests for the status
 * of background work do not pause it; polling clients would slow the work that they observe by half.
 */
export function installBackgroundThrottle(
  app: App,
  { throttle }: { throttle: Pick<BackgroundThrottle, 'beginForegroundRequest'> },
): void {
  app.decorateRequest('endForegroundRequest')
  app.addHook('onRequest', async (request, reply) => {
    const { isStatusPoll = false } = request.routeOptions.config
    const end = isStatusPoll ? () => {} : throttle.beginForegroundRequest()
    request.endForegroundRequest = end
    reply.raw.once('close', end)
  })
  app.addHook('onSend', async (request) => request.endForegroundRequest())
}
