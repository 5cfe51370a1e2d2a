import type { Passkey } from '../../core/passkeys/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'

/** A passkey as JSON: the names of document 1 where it has them, times as everywhere on the command line. */
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
