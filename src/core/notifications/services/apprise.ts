import { z } from 'zod'
import { fitNotificationText } from '../fit-notification-text.ts'
import {
  deliveredResult,
  isSuccessStatus,
  parseReplyJson,
  rejectedResult,
  type DeliveryHttpReply,
} from '../../outbox/index.ts'
import { httpService } from '../service.ts'
import { PlainText, WebAddressSetting } from '../setting-schemas.ts'
import type { NotificationText } from '../notification-text.ts'

/** Default limit of the API server; the services behind it truncate further. */
const BODY_MAX = 32_000
const TITLE_MAX = 250

const NO_CONFIGURATION = 204
const SERVICE_FAILED = 424

const TYPES: Readonly<Record<NotificationText['severity'], string>> = {
  neutral: 'info',
  good: 'success',
  warning: 'warning',
}

const Problem = z.object({ error: z.string().optional() })

/**
 * An Apprise API server, which forwards to any service that Apprise supports. `url` is `…/notify/KEY` for a stored configuration, or
 * `…/notify` together with `urls`. Status 204 means that there is no configuration of this key, 424 that a service behind it failed.
 */
export const apprise = httpService({
  settings: z.strictObject({ url: WebAddressSetting, urls: PlainText.optional(), tag: PlainText.optional() }),
  secrets: ['url', 'urls'],
  address: ({ url }) => url,
  compose: ({ title, text, severity }, { url, urls, tag }) => ({
    url,
    json: {
      ...(urls === undefined ? {} : { urls }),
      ...(tag === undefined ? {} : { tag }),
      title: fitNotificationText(title, { maxSize: TITLE_MAX }),
      body: fitNotificationText(text, { maxSize: BODY_MAX }),
      type: TYPES[severity],
      format: 'text',
    },
    headers: { accept: 'application/json' },
  }),
  read,
})

function read(reply: DeliveryHttpReply) {
  if (reply.status === NO_CONFIGURATION) {
    const reason = 'it has no configuration of this key'
    return { ...rejectedResult(reply, { service: 'Apprise', reason }), isFinal: true }
  }
  if (isSuccessStatus(reply)) return deliveredResult(reply)
  const { isFinal = false, ...result } = rejectedResult(reply, {
    service: 'Apprise',
    reason: parseReplyJson(reply, Problem)?.error,
  })
  return { ...result, isFinal: isFinal && reply.status !== SERVICE_FAILED }
}
