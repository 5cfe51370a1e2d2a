import { z } from 'zod'
import { fitNotificationText, countUtf8Bytes } from '../fit-notification-text.ts'
import {
  deliveredResult,
  isSuccessStatus,
  parseReplyJson,
  rejectedResult,
  type DeliveryHttpReply,
} from '../../outbox/index.ts'
import { httpService } from '../service.ts'
import { HeaderCredential, ServerAddressSetting, PlainText } from '../setting-schemas.ts'
import type { NotificationText } from '../notification-text.ts'

/** ntfy converts longer messages to attachments. */
const MESSAGE_MAX_BYTES = 4096
const TITLE_MAX_BYTES = 250

/** Displayed as emoji before the title. */
const TAGS: Readonly<Record<NotificationText['subject'], string>> = {
  playback: 'clapper',
  library: 'books',
  security: 'key',
  backup: 'floppy_disk',
  test: 'wave',
}

const Problem = z.object({ error: z.string().optional() })

/**
 * A topic of ntfy.sh or of a self-hosted server (ntfy, Publish as JSON). JSON is used because headers accept non-ASCII titles only in a
 * special encoding and end at a line break.
 */
export const ntfy = httpService({
  settings: z
    .strictObject({
      server: ServerAddressSetting.default('https://ntfy.sh'),
      topic: z.string().regex(/^[-\w]{1,64}$/, 'must be 1 to 64 letters, digits, - and _'),
      token: HeaderCredential.optional(),
      username: PlainText.regex(/^[^:]+$/, 'must not hold a colon').optional(),
      password: PlainText.optional(),
    })
    .refine(({ username, password }) => (username === undefined) === (password === undefined), {
      path: ['password'],
      message: 'goes with username',
    }),
  secrets: ['token', 'password'],
  address: ({ server }) => server,
  compose: ({ title, text, subject, severity }, { server, topic, ...login }) => ({
    url: `${server}/`,
    headers: authorization(login),
    json: {
      topic,
      title: fitNotificationText(title, { maxSize: TITLE_MAX_BYTES, sizeOf: countUtf8Bytes }),
      message: fitNotificationText(text, { maxSize: MESSAGE_MAX_BYTES, sizeOf: countUtf8Bytes }),
      tags: [TAGS[subject]],
      priority: severity === 'warning' ? 4 : 3,
    },
  }),
  read,
})

type Login = { token?: string | undefined; username?: string | undefined; password?: string | undefined }

function authorization({ token, username, password }: Login): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (username === undefined || password === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

function read(reply: DeliveryHttpReply) {
  if (isSuccessStatus(reply)) return deliveredResult(reply)
  return rejectedResult(reply, { service: 'ntfy', reason: parseReplyJson(reply, Problem)?.error })
}
