import * as Args from '@oclif/core/args'
import type { Channel } from '../../core/notifications/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'

/** Argument that identifies a notification channel. */
export const channelArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'name or id of the channel, from notify:list',
})

/** A channel as JSON; its secrets are already masked. */
export function wireChannel(channel: Channel): Record<string, unknown> {
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
