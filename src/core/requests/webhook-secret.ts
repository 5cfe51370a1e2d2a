import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../platform/config/index.ts'
import { requestErrors } from './errors.ts'

/**
 * Authenticates a message of Radarr or Sonarr by `acquisition.webhook_secret`, in constant time.
 * @param given the secret in the message, or undefined
 * @throws AppError `webhook_refused`, also when no secret is configured
 */
export function checkWebhookSecret({ config }: { config: Config }, given: string | undefined): void {
  const secret = config.options['acquisition.webhook_secret']
  if (secret === undefined || given === undefined || !timingSafeEqual(digest(secret), digest(given))) {
    throw requestErrors.webhook_refused()
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
