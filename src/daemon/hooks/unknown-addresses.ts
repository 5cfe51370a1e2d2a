import { httpErrors } from '../errors.ts'
import type { App } from '../http/app-types.ts'

/**
 * Answers 404 for addresses without a route before the body is read. The concurrency limit does not cover these addresses. Without this
 * hook, many request bodies could be in memory at once. Installed after all other hooks of this stage, because their replies have priority.
 */
export function installUnknownAddresses(app: App): void {
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw httpErrors.not_found()
  })
}
