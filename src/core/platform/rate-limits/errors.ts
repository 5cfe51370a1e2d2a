import { defineErrors, type AppError } from '../errors/index.ts'

export const rateLimitErrors = defineErrors({
  rate_limited: {
    kind: 'limited',
    title: 'Too Many Requests',
    doc: 'More requests or failed logins than the limit allows; `Retry-After` is the number of seconds to wait.',
  },
})

/**
 * The error `rate_limited` with the time until the window ends, in whole seconds, at least one.
 * @param message what there was too much of
 */
export function rateLimitedError(millisecondsLeft: number, message?: string): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(millisecondsLeft / 1000))
  return rateLimitErrors.rate_limited({ retryAfterSeconds, ...(message !== undefined && { message }) })
}
