import { takeRightOfWay } from '../../core/platform/threads/index.ts'
import type { App } from '../http/app-types.ts'

/** Work in the background waits while a request is answered: until the answer is known, not until a film has been sent. */
export function installRightOfWay(app: App): void {
  app.decorateRequest('endRightOfWay')
  app.addHook('onRequest', async (request, reply) => {
    const end = takeRightOfWay()
    request.endRightOfWay = end
    reply.raw.once('close', end)
  })
  app.addHook('onSend', async (request) => request.endRightOfWay())
}
