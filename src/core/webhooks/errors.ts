import { defineErrors, type AppError } from '../platform/errors/index.ts'

export const webhookErrors = defineErrors({
  webhook_not_found: { kind: 'not_found', title: 'Webhook not found', doc: 'No webhook has this id.' },
  missing_name: {
    kind: 'invalid',
    title: 'name is required',
    doc: 'A collection, a smart playlist and a webhook need a name as text.',
  },
  missing_url: { kind: 'invalid', title: 'url is required', doc: 'A webhook needs an address.' },
  missing_secret: {
    kind: 'invalid',
    title: 'secret is required',
    doc: 'A webhook needs a secret, which its deliveries are signed with.',
  },
  invalid_url: {
    kind: 'invalid',
    title: 'Invalid URL',
    doc: 'The address of a webhook is no http or https address, or leads to where webhooks may not (`webhooks.allow_private`).',
  },
  invalid_events: {
    kind: 'invalid',
    title: 'events must be an array of event names',
    doc: 'The events of a webhook are no list, an empty one, or name an unknown event; `valid_events` lists them.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A field of the body has a form that is not allowed; `field` names it.',
  },
  too_many_webhooks: {
    kind: 'conflict',
    title: 'Too many webhooks',
    doc: 'The server has 100 webhooks, which is the most; `limit` says so.',
  },
  nothing_to_update: {
    kind: 'invalid',
    title: 'Nothing to update',
    doc: 'The body names none of `name`, `url`, `secret`, `events`, `is_active`.',
  },
})

/** The error `invalid_url` with the reason as title, because some clients display only the title. */
export function refusedUrl(reason: string, cause?: unknown): AppError {
  return webhookErrors.invalid_url({ title: reason, message: reason, cause })
}
