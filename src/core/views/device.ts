import type { LoginSession } from '../accounts/index.ts'
import { toIsoTimestamp } from '../platform/time/index.ts'

/** A signed-in device of an account. `isCurrent`: it is the device of the request. */
export function deviceView(signIn: LoginSession, { isCurrent }: { isCurrent: boolean }) {
  return {
    id: signIn.id,
    name: signIn.deviceName,
    type: signIn.deviceType,
    address: signIn.address,
    last_used_at: toIsoTimestamp(signIn.lastUsedAt),
    created_at: toIsoTimestamp(signIn.createdAt),
    is_current: isCurrent,
  }
}
