import { AppError } from '../platform/errors/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import type { StoredEnrolment } from './enrolment/enrolment-file.ts'
import { createHubClient } from './hub-client.ts'

/** Whether the hub of an enrolment returns its keys. */
export async function isHubReachable(
  services: { outbound: Outbound },
  { hubBaseUrl }: Pick<StoredEnrolment, 'hubBaseUrl'>,
): Promise<boolean> {
  try {
    return (await createHubClient(services, hubBaseUrl).readKeySet()).keys.length > 0
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
