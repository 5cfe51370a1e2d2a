import { httpErrors } from '../errors.ts'
import type { App } from '../http/app-types.ts'

/**
 * Answers 404 for addresses without a route before the body is read. The limit of concurrent requests does not apply to these addresses,
 * so that many bodies would be in memory at the same time. Installed after all other hooks of this stage, because their answers come first.
 */
export function installUnknownAddresses(app: App): void {
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw httpErrors.not_found()
  })
}
