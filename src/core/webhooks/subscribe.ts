import { randomBytes } from 'node:crypto'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { createWebhook } from './manage-webhooks.ts'
import { NAME_MAX_CHARACTERS, parseWebhookUrl, type Webhook, type WebhookInput } from './webhook.ts'

const SECRET_BYTES = 32

/** `secret`: the generated secret, which is returned only here; null when the caller supplied one. */
export type Subscription = { webhook: Webhook; secret: string | null }

/**
 * Creates a webhook from an address and events only: its name is the host, and its secret is random, with 43 characters.
 * @throws AppError `missing_url`, and the errors of `createWebhook`
 */
export async function createSubscription(
  needs: { config: Config; db: Database; clock: Clock },
  input: WebhookInput,
): Promise<Subscription> {
  const url = parseWebhookUrl(input.url)
  const secret = input.secret === undefined ? randomBytes(SECRET_BYTES).toString('base64url') : null
  const name = input.name ?? URL.parse(url)?.host.slice(0, NAME_MAX_CHARACTERS) ?? url.slice(0, NAME_MAX_CHARACTERS)
  const webhook = await createWebhook(needs, { ...input, name, secret: input.secret ?? secret })
  return { webhook, secret }
}
