import { z } from 'zod'
import { countCodePoints, fitNotificationText } from '../fit-notification-text.ts'
import {
  deliveredResult,
  isSuccessStatus,
  parseReplyJson,
  rejectedResult,
  type DeliveryHttpReply,
} from '../../outbox/index.ts'
import { httpService } from '../service.ts'
import { ServerAddressSetting } from '../setting-schemas.ts'

/** Maximum length of a title in code points (Pushover, API: Limitations). */
const TITLE_MAX = 250
const MESSAGE_MAX = 1024

const KEY = /^[A-Za-z0-9]{30}$/
const KEY_FORM = 'must be 30 letters and digits'

const Answer = z.object({ status: z.number(), errors: z.array(z.string()).optional() })

/**
 * A user or group of Pushover (Pushover, API: Pushing Messages). `status` of the reply is 1 on success; `errors` has the reasons of a
 * failure. A rejection is final, because repeated requests get the sender blocked; exceptions are 429 and server errors.
 */
export const pushover = httpService({
  settings: z.strictObject({
    token: z.string().regex(KEY, KEY_FORM),
    user: z.string().regex(KEY, KEY_FORM),
    device: z
      .string()
      .regex(/^[\w-]{1,25}(?:,[\w-]{1,25}){0,9}$/, 'must be names of devices, separated by commas')
      .optional(),
    server: ServerAddressSetting.default('https://api.pushover.net'),
  }),
  secrets: ['token', 'user'],
  address: ({ server }) => server,
  compose: ({ title, text }, { server, token, user, device }, { occurredAt }) => ({
    url: `${server}/1/messages.json`,
    json: {
      token,
      user,
      ...(device === undefined ? {} : { device }),
      title: fitNotificationText(title, { maxSize: TITLE_MAX, sizeOf: countCodePoints }),
      message: fitNotificationText(text, { maxSize: MESSAGE_MAX, sizeOf: countCodePoints }),
      timestamp: Math.floor(occurredAt.getTime() / 1000),
    },
  }),
  read,
})

function read(reply: DeliveryHttpReply) {
  const answer = parseReplyJson(reply, Answer)
  if (isSuccessStatus(reply) && answer?.status === 1) return deliveredResult(reply)
  const reason = answer === undefined ? 'something that is not its interface' : answer.errors?.join(', ')
  return rejectedResult(reply, { service: 'Pushover', reason })
}
