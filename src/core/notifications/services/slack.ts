import { z } from 'zod'
import { escapeMarkupCharacter, fitNotificationText } from '../fit-notification-text.ts'
import {
  deliveredResult,
  isSuccessStatus,
  truncatedBodyText,
  rejectedResult,
  type DeliveryHttpReply,
} from '../../outbox/index.ts'
import { httpService } from '../service.ts'
import { WebAddressSetting } from '../setting-schemas.ts'

/** The recommended length of `text`; Slack truncates at 40,000. */
const TEXT_MAX = 4000

/**
 * An incoming webhook of Slack or of a compatible program (Mattermost, Rocket.Chat). The three control characters are escaped as entities,
 * and mrkdwn and name detection are disabled, so that titles cause neither formatting nor mentions. Errors are plain-text codes:
 * `invalid_payload`, `no_service`, `channel_is_archived`.
 */
export const slack = httpService({
  settings: z.strictObject({ url: WebAddressSetting }),
  secrets: ['url'],
  address: ({ url }) => url,
  compose: ({ title, text }, { url }) => ({
    url,
    json: {
      text: fitNotificationText(`${title}\n${text}`, { maxSize: TEXT_MAX, escape: escapeMarkupCharacter }),
      mrkdwn: false,
      parse: 'none',
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    },
  }),
  read,
})

function read(reply: DeliveryHttpReply) {
  if (isSuccessStatus(reply)) return deliveredResult(reply)
  const word = truncatedBodyText(reply).trim()
  return rejectedResult(reply, { service: 'Slack', reason: /^[\w .-]{1,100}$/.test(word) ? word : undefined })
}
