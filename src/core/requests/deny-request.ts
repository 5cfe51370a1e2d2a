import type { Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { withRequestLock } from './with-request-lock.ts'
import { requestErrors } from './errors.ts'
import { getPendingRequest } from './get-request.ts'
import { parseDenialReason, type MediaRequest } from './media-request.ts'
import { rejectPendingRequest } from './queries.ts'
import { notifyRequester } from './notify-requester.ts'

type Dependencies = { db: Database; connectionUri: string; clock: Clock; log: Logger; events: EventBus }

/**
 * Denies a pending request and notifies the requester, who can read the reason. Waits for a concurrent approval.
 * @param input.reason from the client, not validated
 * @throws AppError `request_not_found`, `request_not_pending`, `request_busy`, `invalid_request`; `deny_failed` when it could not be stored
 */
export async function denyRequest(
  services: Dependencies,
  input: { id: string; reason?: unknown },
): Promise<MediaRequest> {
  const reason = parseDenialReason(input.reason)
  await getPendingRequest(services, input.id)
  return withRequestLock(services, input.id, async () => {
    const denied = await storeDenial(services, { id: input.id, reason })
    if (denied === undefined) throw requestErrors.request_not_pending()
    notifyRequester(services, denied)
    return denied
  })
}

async function storeDenial(
  { db, clock }: Dependencies,
  denial: { id: string; reason: string | null },
): Promise<MediaRequest | undefined> {
  try {
    return await rejectPendingRequest(db, { ...denial, now: clock.now() })
  } catch (error) {
    throw requestErrors.deny_failed({ cause: error })
  }
}
