import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../platform/config/index.ts'
import { requestErrors } from './errors.ts'

/**
 * Lets a message of Radarr or Sonarr in that brings `acquisition.webhook_secret`; compared in a time that tells nothing.
 * @param given what the sender brought, or undefined
 * @throws AppError `webhook_refused`, also when no secret is set
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
