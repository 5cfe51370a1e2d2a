import type { Passkey } from '../../core/passkeys/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'

/** A passkey as JSON, with the keys of the HTTP API where it has them; times as in other commands. */
export function wirePasskey(passkey: Passkey): Record<string, unknown> {
  return {
    credential_id: passkey.credentialId.toString('base64'),
    device_type: passkey.deviceType,
    aaguid: passkey.aaguid,
    transports: passkey.transports,
    registered_at: toIsoTimestamp(passkey.registeredAt),
    last_used_at: isoTimestampOrNull(passkey.lastUsedAt),
  }
}
