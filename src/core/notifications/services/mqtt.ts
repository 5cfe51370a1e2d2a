import { z } from 'zod'
import { createEnvelope } from '../../webhooks/index.ts'
import type { NotificationService } from '../service.ts'
import { PlainText } from '../setting-schemas.ts'
import { formatNotificationText } from '../notification-text.ts'

const Settings = z.strictObject({
  url: z
    .string()
    .regex(/^mqtts?:\/\/[^\s\p{Cc}/?#]{1,300}\/?$/u, 'must be mqtt://host or mqtts://host, with a port if need be'),
  topic: z
    .string()
    // Wildcards are only valid in subscriptions, and topics with $ are reserved for the broker (MQTT 5, 4.7).
    .regex(
      /^(?!\$)[^\s\p{Cc}+#/]{1,100}(?:\/[^\s\p{Cc}+#/]{1,100}){0,9}$/u,
      'must be a topic without wildcards, as home/phlix',
    )
    .default('phlix'),
  username: PlainText.optional(),
  password: PlainText.optional(),
})

/**
 * An MQTT broker. The topics are `phlix/playback/started`, `phlix/playback/ended`, `phlix/library/updated`, below the configured topic. The
 * payload is the envelope of webhooks with `title` and `message`. QoS 1, not retained.
 */
export const mqtt: NotificationService<z.infer<typeof Settings>> = {
  settings: Settings,
  secrets: ['password'],
  address: ({ url }) => url,
  deliver: async ({ publish }, { notice, settings: { topic, ...broker } }) => {
    const { title, text } = formatNotificationText(notice.facts)
    const payload = JSON.stringify({ ...createEnvelope(notice), title, message: text })
    await publish({ ...broker, topic: `${topic}/${notice.facts.event.replaceAll('.', '/')}`, payload })
    return { isDelivered: true, statusCode: null, responseBody: null, error: null }
  },
}
