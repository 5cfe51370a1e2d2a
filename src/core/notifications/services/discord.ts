import { z } from 'zod'
import { toIsoTimestamp } from '../../platform/time/index.ts'
import { fitNotificationText } from '../fit-notification-text.ts'
import {
  deliveredResult,
  isSuccessStatus,
  parseReplyJson,
  rejectedResult,
  type DeliveryHttpReply,
} from '../../outbox/index.ts'
import { httpService } from '../service.ts'
import { WebAddressSetting } from '../setting-schemas.ts'
import type { NotificationText } from '../notification-text.ts'

/** Limits of an embed (Discord, Message: Embed limits). */
const TITLE_MAX = 256
const DESCRIPTION_MAX = 4096

const COLOURS: Readonly<Record<NotificationText['severity'], number>> = {
  neutral: 0x58_65_f2,
  good: 0x3b_a5_5d,
  warning: 0xfa_a6_1a,
}

const Problem = z.object({ message: z.string().optional(), retry_after: z.number().optional() })

/**
 * A webhook of a Discord channel (Discord, Execute Webhook). Texts are escaped for markdown, and mentions are disabled. With status 429
 * `retry_after` is the delay in seconds.
 */
export const discord = httpService({
  settings: z.strictObject({ url: WebAddressSetting }),
  secrets: ['url'],
  address: ({ url }) => url,
  compose: ({ title, text, severity }, { url }, { occurredAt }) => ({
    url,
    json: {
      username: 'Phlix',
      embeds: [
        {
          title: fitNotificationText(title, { maxSize: TITLE_MAX, escape: escapeMarkdown }),
          description: fitNotificationText(text, { maxSize: DESCRIPTION_MAX, escape: escapeMarkdown }),
          color: COLOURS[severity],
          timestamp: toIsoTimestamp(occurredAt),
        },
      ],
      allowed_mentions: { parse: [] },
    },
  }),
  read,
})

function read(reply: DeliveryHttpReply) {
  if (isSuccessStatus(reply)) return deliveredResult(reply)
  const problem = parseReplyJson(reply, Problem)
  return rejectedResult(reply, {
    service: 'Discord',
    reason: problem?.message,
    retryAfterSeconds: problem?.retry_after,
  })
}

/** In Discord's markdown a backslash escapes any punctuation character. */
function escapeMarkdown(character: string): string {
  return /^[\\*_~`|>#+\-[\]()<:@.!]$/.test(character) ? `\\${character}` : character
}
