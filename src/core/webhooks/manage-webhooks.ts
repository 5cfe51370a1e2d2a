import { deleteTarget, insertTarget, updateTarget } from '../outbox/index.ts'
import type { Config } from '../platform/config/index.ts'
import { isRowId, acquireNamedLock, type Connection, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { checkWebhookUrl } from './check-webhook-url.ts'
import { webhookErrors } from './errors.ts'
import { countWebhooks, insertWebhook, selectWebhook, selectWebhooks, updateWebhookAddress } from './queries.ts'
import {
  parseWebhookEvents,
  parseWebhookIsActive,
  parseWebhookName,
  parseWebhookSecret,
  parseWebhookUrl,
  type Webhook,
  type WebhookInput,
} from './webhook.ts'

type Dependencies = { config: Config; db: Database; clock: Clock }

/** Limit of the webhooks, because each event is stored once per webhook. */
const MAX_WEBHOOKS = 100

/** All webhooks, oldest first. */
export async function listWebhooks({ db }: { db: Connection }): Promise<readonly Webhook[]> {
  return selectWebhooks(db)
}

/** @throws AppError `webhook_not_found` */
export async function getWebhook({ db }: { db: Connection }, id: string): Promise<Webhook> {
  const webhook = isRowId(id) ? await selectWebhook(db, id) : undefined
  if (webhook === undefined) throw webhookErrors.webhook_not_found()
  return webhook
}

/**
 * Creates a webhook, which receives events from now on.
 * @throws AppError `missing_name`, `missing_url`, `missing_secret`, `invalid_url`, `invalid_events`, `invalid_request`, `too_many_webhooks`
 */
export async function createWebhook({ config, db, clock }: Dependencies, input: WebhookInput): Promise<Webhook> {
  const [name, url, secret] = [
    parseWebhookName(input.name),
    parseWebhookUrl(input.url),
    parseWebhookSecret(input.secret),
  ]
  const events = parseWebhookEvents(input.events)
  await checkWebhookUrl(config, url)
  return db.transaction(async (connection) => {
    await checkQuota(connection)
    const id = await insertTarget(connection, { kind: 'webhook', name, events, now: clock.now() })
    await insertWebhook(connection, { id, url, secret })
    return getWebhook({ db: connection }, id)
  })
}

/**
 * Changes the fields in the input; the others are unchanged.
 * @throws AppError `webhook_not_found`, `nothing_to_update`, and the errors of `createWebhook`
 */
export async function updateWebhook(
  { config, db, clock }: Dependencies,
  id: string,
  input: WebhookInput,
): Promise<Webhook> {
  await getWebhook({ db }, id)
  const changes = readChanges(input)
  if (Object.keys(changes).length === 0) throw webhookErrors.nothing_to_update()
  if (changes.url !== undefined) await checkWebhookUrl(config, changes.url)
  return db.transaction(async (connection) => {
    await updateTarget(connection, { id, kind: 'webhook', ...changes, now: clock.now() })
    await updateWebhookAddress(connection, { id, url: changes.url, secret: changes.secret })
    return getWebhook({ db: connection }, id)
  })
}

/** Serialises the check until the transaction ends. */
async function checkQuota(connection: Connection): Promise<void> {
  await acquireNamedLock(connection, 'webhooks')
  if ((await countWebhooks(connection)) < MAX_WEBHOOKS) return
  const message = `A server has at most ${MAX_WEBHOOKS} webhooks.`
  throw webhookErrors.too_many_webhooks({ message, details: { limit: MAX_WEBHOOKS } })
}

type Changes = { name?: string; url?: string; secret?: string; events?: string[]; isActive?: boolean }

function readChanges({ name, url, secret, events, isActive }: WebhookInput): Changes {
  return {
    ...(name === undefined ? {} : { name: parseWebhookName(name) }),
    ...(url === undefined ? {} : { url: parseWebhookUrl(url) }),
    ...(secret === undefined ? {} : { secret: parseWebhookSecret(secret) }),
    ...(events === undefined ? {} : { events: parseWebhookEvents(events) }),
    ...(isActive === undefined ? {} : { isActive: parseWebhookIsActive(isActive) }),
  }
}

/**
 * Deletes a webhook with its waiting deliveries and its log.
 * @throws AppError `webhook_not_found`
 */
export async function deleteWebhook({ db }: { db: Connection }, id: string): Promise<void> {
  const isGone = isRowId(id) && (await deleteTarget(db, { id, kind: 'webhook' }))
  if (!isGone) throw webhookErrors.webhook_not_found()
}
