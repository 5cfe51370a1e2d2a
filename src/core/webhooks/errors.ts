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
    doc: 'A webhook needs a secret for the signature of its deliveries.',
  },
  invalid_url: {
    kind: 'invalid',
    title: 'Invalid URL',
    doc: 'The address of a webhook is not an http or https address, or webhooks may not use it (`webhooks.allow_private`).',
  },
  invalid_events: {
    kind: 'invalid',
    title: 'events must be an array of event names',
    doc: 'The events of a webhook are not a list, the list is empty, or it has an unknown event; `valid_events` lists them.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'Invalid request',
    doc: 'A field of the body has an invalid value; `field` names it.',
  },
  too_many_webhooks: {
    kind: 'conflict',
    title: 'Too many webhooks',
    doc: 'The server has 100 webhooks, the maximum; `limit` has the number.',
  },
  nothing_to_update: {
    kind: 'invalid',
    title: 'Nothing to update',
    doc: 'The body has none of `name`, `url`, `secret`, `events`, `is_active`.',
  },
})

/** The error `invalid_url` with the reason as title, because some clients display only the title. */
export function invalidUrlError(
  reason: string,
  { cause, hint }: { cause?: unknown; hint?: string | undefined } = {},
): AppError {
  return webhookErrors.invalid_url({ title: reason, message: reason, cause, hint })
}
