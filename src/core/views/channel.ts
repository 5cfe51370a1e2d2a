import type { NotificationChannel } from '../notifications/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/** A notification channel. Its secrets are masked in the record already. */
export function channelView(channel: NotificationChannel) {
  return {
    id: channel.id,
    name: channel.name,
    service: channel.service,
    events: channel.events,
    settings: channel.settings,
    created_at: toIsoTimestamp(channel.createdAt),
    last_triggered_at: isoTimestampOrNull(channel.lastTriggeredAt),
    failure_count: channel.failureCount,
    dropped_count: channel.droppedCount,
  }
}
