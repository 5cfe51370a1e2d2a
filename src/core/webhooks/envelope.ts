import { createHmac } from 'node:crypto'
import type { OutboxEvent, Delivery } from '../outbox/index.ts'
import { toIsoTimestamp } from '../platform/time/index.ts'

/** The body of a delivery; its JSON is the same bytes at each attempt. Receivers recognise repetitions by `id` and `occurred_at`. */
export function createEnvelope({
  id,
  targetId,
  facts,
  occurredAt,
}: Pick<Delivery, 'id' | 'targetId' | 'facts' | 'occurredAt'>): object {
  return { id, event_type: facts.event, payload: payloadOf(facts, targetId), occurred_at: toIsoTimestamp(occurredAt) }
}

/** The payload of an event. Library events also list the number and the ids of the items, because one event covers a whole scan. */
function payloadOf(facts: OutboxEvent, webhookId: string): object {
  switch (facts.event) {
    case 'playback.started':
      return { ...playOf(facts), device_id: facts.deviceId }
    case 'playback.ended':
      return { ...playOf(facts), duration_seconds: facts.durationSeconds, completed: facts.isCompleted }
    case 'library.updated':
      return {
        change_type: facts.change,
        media_item_id: facts.mediaItemIds[0],
        library_id: facts.libraryId,
        media_item_ids: facts.mediaItemIds,
        item_count: facts.itemCount,
      }
    case 'passkey.added':
      return { user_id: facts.userId, user_name: facts.userName, device_type: facts.deviceType }
    case 'device.added':
      return {
        user_id: facts.userId,
        user_name: facts.userName,
        device_name: facts.deviceName,
        device_type: facts.deviceType,
        address: facts.address,
      }
    case 'backup.completed':
      return { backup_id: facts.backupId, label: facts.label, size_bytes: facts.sizeBytes, place: facts.place }
    case 'backup.failed':
      return { place: facts.place, reason: facts.reason }
    case 'webhook.test':
      return { message: facts.message, webhook_id: webhookId }
  }
}

function playOf({
  userId,
  profileId,
  mediaItemId,
  mediaType,
}: {
  userId: string
  profileId?: string | undefined
  mediaItemId: string
  mediaType: string
}): object {
  const profile = profileId === undefined ? {} : { profile_id: profileId }
  return { user_id: userId, ...profile, media_item_id: mediaItemId, media_type: mediaType }
}

/**
 * The headers that authenticate a body: HMAC-SHA256 of its bytes under two names, and under a third name an HMAC that also covers the time
 * of sending.
 */
export function signatureHeaders(
  body: string,
  { secret, unixSeconds }: { secret: string; unixSeconds: number },
): Record<string, string> {
  const sign = (text: string): string => createHmac('sha256', secret).update(text, 'utf8').digest('hex')
  const signature = `sha256=${sign(body)}`
  return {
    'x-service-signature': signature,
    'x-phlix-signature': signature,
    'x-phlix-signature-v2': `t=${unixSeconds},v1=${sign(`${unixSeconds}.${body}`)}`,
  }
}
