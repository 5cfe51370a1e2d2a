import type { Scrobbler, ScrobbleServiceState } from '../scrobbling/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/** A connection with a scrobbling service. Its keys are never shown. */
export function scrobblerView(scrobbler: Scrobbler) {
  return {
    id: scrobbler.id,
    user_id: scrobbler.userId,
    service: scrobbler.service,
    service_username: scrobbler.serviceUsername,
    failure_count: scrobbler.failureCount,
    last_triggered_at: isoTimestampOrNull(scrobbler.lastTriggeredAt),
    created_at: toIsoTimestamp(scrobbler.createdAt),
  }
}

/** A scrobbling service as an account sees it. */
export function scrobbleServiceView({ service, title, isConfigured, needsToken, scrobbler }: ScrobbleServiceState) {
  return {
    service,
    title,
    is_configured: isConfigured,
    needs_token: needsToken,
    connection: scrobbler && { ...scrobblerView(scrobbler), last_error: scrobbler.lastError },
  }
}
