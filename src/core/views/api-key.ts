import type { ApiKey } from '../api-keys/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/** An API key without its text. */
export function apiKeyView(key: ApiKey) {
  return {
    id: key.id,
    user_id: key.accountId,
    username: key.username,
    name: key.name,
    hint: key.hint,
    scopes: [...key.scopes],
    created_at: toIsoTimestamp(key.createdAt),
    expires_at: isoTimestampOrNull(key.expiresAt),
    last_used_at: isoTimestampOrNull(key.lastUsedAt),
    last_address: key.lastAddress,
  }
}
