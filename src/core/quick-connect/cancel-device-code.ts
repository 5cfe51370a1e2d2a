import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { matchesSecretDigest, normalizeDeviceCode } from './device-code.ts'
import { deleteDeviceCode, findDeviceCode } from './queries.ts'

/**
 * Ends a code whose device no longer waits, so that it does not count as open. Only the secret of the device is sufficient: another program
 * at the same address could have the id of the device. Does nothing for any other code, without saying so.
 */
export async function cancelDeviceCode(
  { db, clock }: { db: Database; clock: Clock },
  { code: text, secret }: { code: string; secret: string | undefined },
): Promise<void> {
  const code = normalizeDeviceCode(text)
  if (code === undefined || secret === undefined) return
  const found = await findDeviceCode(db, { code, now: clock.now() })
  if (found !== undefined && matchesSecretDigest(found.secretDigest, secret)) await deleteDeviceCode(db, found.code)
}
