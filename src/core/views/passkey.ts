import type { Passkey } from '../passkeys/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/**
 * A passkey. The credential id is standard base64 with padding, which clients decode with `atob`.
 * @param formatCueTime the HTTP API writes the time as a number, the command line as text
 */
export function passkeyView<Time extends string | number>(passkey: Passkey, formatTime: (time: Date) => Time) {
  return {
    credential_id: passkey.credentialId.toString('base64'),
    user_id: passkey.accountId,
    type: 'public-key' as const,
    device_type: passkey.deviceType,
    aaguid: passkey.aaguid,
    registered_at: formatTime(passkey.registeredAt),
  }
}

/** A passkey with its transports and its last use, for administrators. */
export function passkeyDetailView(passkey: Passkey) {
  return {
    ...passkeyView(passkey, toIsoTimestamp),
    transports: passkey.transports,
    last_used_at: isoTimestampOrNull(passkey.lastUsedAt),
  }
}
