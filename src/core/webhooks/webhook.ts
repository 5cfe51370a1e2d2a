import { EVENT_KINDS, type DeliveryTarget } from '../outbox/index.ts'
import { invalidUrlError, webhookErrors } from './errors.ts'

/** An HTTP address that receives events. Its secret is read only for signing. */
export type Webhook = DeliveryTarget & { url: string; updatedAt: Date }

/** The input for a new or changed webhook, not validated: a field may be absent or of any type. */
export type WebhookInput = { name?: unknown; url?: unknown; secret?: unknown; events?: unknown; isActive?: unknown }

/** Events that clients offer because other servers send them. They are accepted, but never sent. */
const PICKED_EVENTS = ['download.complete', 'recording.started', 'recording.stopped', 'alert'] as const

/** The events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS: readonly string[] = [...EVENT_KINDS, ...PICKED_EVENTS]

export const NAME_MAX_CHARACTERS = 128
const SECRET_MAX_CHARACTERS = 1024
const URL_MAX_CHARACTERS = 2048
/** Duplicates are removed; a longer list is rejected. */
const LISTED_EVENTS_MAX = 100

/** PostgreSQL stores neither NUL nor unpaired surrogates; other control characters would break header and log lines. */
const CONTROL = /\p{Cc}/u

/** @throws AppError `missing_name`, `invalid_request` */
export function parseWebhookName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (name === '') throw webhookErrors.missing_name()
  return checked(name, { field: 'name', maxLength: NAME_MAX_CHARACTERS })
}

/** @throws AppError `missing_secret`, `invalid_request` for control characters and excessive length */
export function parseWebhookSecret(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw webhookErrors.missing_secret()
  return checked(value, { field: 'secret', maxLength: SECRET_MAX_CHARACTERS })
}

/**
 * Reads the text of an address; `checkWebhookUrl` checks its target.
 * @throws AppError `missing_url`, `invalid_url`
 */
export function parseWebhookUrl(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw webhookErrors.missing_url()
  const url = value.trim()
  const isText = url.length <= URL_MAX_CHARACTERS && url.isWellFormed() && !CONTROL.test(url)
  if (isText) return url
  throw invalidUrlError(`url must be at most ${URL_MAX_CHARACTERS} characters on one line`)
}

/**
 * The events without duplicates, in the given order.
 * @throws AppError `invalid_events`
 */
export function parseWebhookEvents(value: unknown): string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= LISTED_EVENTS_MAX
  const events = isList ? [...new Set(value as unknown[])] : []
  if (events.length > 0 && events.every((event) => WEBHOOK_EVENTS.includes(event as string))) return events as string[]
  throw webhookErrors.invalid_events({
    message: `events must list some of ${WEBHOOK_EVENTS.join(', ')}`,
    details: { valid_events: WEBHOOK_EVENTS },
  })
}

/** @throws AppError `invalid_request` */
export function parseWebhookIsActive(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw webhookErrors.invalid_request({ message: 'is_active must be true or false', details: { field: 'is_active' } })
}

function checked(text: string, { field, maxLength }: { field: string; maxLength: number }): string {
  if (Array.from(text).length <= maxLength && text.isWellFormed() && !CONTROL.test(text)) return text
  throw webhookErrors.invalid_request({
    message: `${field} must be at most ${maxLength} characters on one line`,
    details: { field },
  })
}
