import { z } from 'zod'
import { escapeMarkupCharacter, fitNotificationText } from '../fit-notification-text.ts'
import {
  deliveredResult,
  isSuccessStatus,
  parseReplyJson,
  rejectedResult,
  type DeliveryHttpReply,
} from '../../outbox/index.ts'
import { httpService } from '../service.ts'
import { ServerAddressSetting } from '../setting-schemas.ts'

/** The limit of a message is 4,096 after its entities are parsed. */
const TITLE_MAX = 256
const TEXT_MAX = 3800

const Answer = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
})

/**
 * A chat of a Telegram bot (Bot API, sendMessage) in HTML mode, where three characters are escaped as entities. `ok` of the reply decides,
 * regardless of the status; with 429 `parameters.retry_after` is the delay. The bot's token is part of the path.
 */
export const telegram = httpService({
  settings: z.strictObject({
    token: z.string().regex(/^\d{3,20}:[\w-]{20,100}$/, 'must be the token of a bot, as 123456:ABC…'),
    chat_id: z
      .string()
      .regex(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/, 'must be the number of a chat or the @name of a channel'),
    server: ServerAddressSetting.default('https://api.telegram.org'),
  }),
  secrets: ['token'],
  address: ({ server }) => server,
  compose: ({ title, text }, { server, token, chat_id: chat }) => ({
    url: `${server}/bot${token}/sendMessage`,
    json: {
      chat_id: chat,
      parse_mode: 'HTML',
      text: `<b>${fit(title, TITLE_MAX)}</b>\n${fit(text, TEXT_MAX)}`,
      link_preview_options: { is_disabled: true },
    },
  }),
  read,
})

/** The limit applies to the displayed text, so that escapes do not count. */
function fit(text: string, maxSize: number): string {
  return Array.from(fitNotificationText(text, { maxSize }), escapeMarkupCharacter).join('')
}

function read(reply: DeliveryHttpReply) {
  const answer = parseReplyJson(reply, Answer)
  if (isSuccessStatus(reply) && answer?.ok === true) return deliveredResult(reply)
  const reason = answer === undefined ? 'something that is not its interface' : answer.description
  return rejectedResult(reply, { service: 'Telegram', reason, retryAfterSeconds: answer?.parameters?.retry_after })
}
