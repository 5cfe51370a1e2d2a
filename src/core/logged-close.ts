import { describeError } from './platform/errors/index.ts'
import type { Logger } from './platform/logging/index.ts'

/**
 * Wraps the close function of one part of a process, for an `AsyncDisposableStack`. A failure is logged and not thrown, so that the stack
 * reports success after it has closed the other parts.
 * @param part name of the part in the log
 */
export function loggedClose(log: Logger, part: string, close: () => Promise<void>): () => Promise<void> {
  return async () => {
    try {
      await close()
      log.debug({ part }, 'closed')
    } catch (error) {
      log.error({ part, reason: describeError(error) }, 'closing failed')
    }
  }
}
