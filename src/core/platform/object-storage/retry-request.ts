import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../errors/index.ts'
import { outboundErrors } from '../outbound/index.ts'
import { objectStorageErrors } from './errors.ts'

const ATTEMPTS = 4

/**
 * Repeats a request while the server is not reachable or overloaded. Every request of a bucket can be repeated.
 * @throws AppError `storage_unreachable` after the last attempt; other errors at once; the reason of the signal
 */
export async function retryRequest<Result>(
  work: () => Promise<Result>,
  { retryMilliseconds, signal }: { retryMilliseconds: number; signal: AbortSignal | undefined },
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (signal?.aborted === true || !isTransient(error)) throw error
      if (attempt === ATTEMPTS) throw unreachable(error)
    }
    // The pause must not outlive a signal; its error is that of the signal.
    await pause(retryMilliseconds * 2 ** (attempt - 1), undefined, { signal }).catch(() => signal?.throwIfAborted())
  }
}

const TRANSIENT = new Set([
  objectStorageErrors.storage_unreachable.definition.code,
  outboundErrors.outbound_unreachable.definition.code,
  outboundErrors.outbound_timeout.definition.code,
])

function isTransient(error: unknown): error is AppError {
  return error instanceof AppError && TRANSIENT.has(error.code)
}

function unreachable(error: AppError): AppError {
  if (error.code === objectStorageErrors.storage_unreachable.definition.code) return error
  return objectStorageErrors.storage_unreachable({ message: error.message, cause: error })
}
