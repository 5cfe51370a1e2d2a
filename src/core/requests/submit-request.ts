import type { Config } from '../platform/config/index.ts'
import { acquireNamedLock, type Connection, type Database } from '../platform/database/index.ts'
import { readSetting } from '../platform/settings/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { checkMediaRequest, type MediaRequest, type RequestInput } from './media-request.ts'
import { requestErrors } from './errors.ts'
import { countPendingRequests, insertRequest } from './queries.ts'

type Dependencies = { config: Config; db: Database; clock: Clock }

/** Limit of pending requests per account. Decided requests are not counted, because only administrators decide. */
const MAX_PENDING = 100

/**
 * Stores a user's request, which waits for an administrator.
 * @param input.fields from the client
 * @throws AppError `too_many_requests_pending`, and the errors of `checkMediaRequest`
 */
export async function submitRequest(
  { config, db, clock }: Dependencies,
  input: { userId: string; fields: RequestInput },
): Promise<MediaRequest> {
  const allowWholeSeries = await readSetting({ config, db }, 'requests.allow_whole_series')
  const fields = checkMediaRequest(input.fields, { allowWholeSeries })
  return db.transaction(async (connection) => {
    await checkQuota(connection, input.userId)
    return insertRequest(connection, { userId: input.userId, fields, now: clock.now() })
  })
}

/** Serialised per account until the transaction ends. */
async function checkQuota(connection: Connection, userId: string): Promise<void> {
  await acquireNamedLock(connection, `media requests of ${userId}`)
  if ((await countPendingRequests(connection, userId)) < MAX_PENDING) return
  const message = `An account has at most ${MAX_PENDING} pending requests.`
  throw requestErrors.too_many_requests_pending({ message, details: { limit: MAX_PENDING } })
}
