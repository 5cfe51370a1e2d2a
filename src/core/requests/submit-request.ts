import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { readSetting } from '../platform/settings/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { checkRequest, type MediaRequest, type RequestInput } from './media-request.ts'
import { insertRequest } from './queries.ts'

type Needs = { config: Config; db: Database; clock: Clock }

/**
 * Notes a person's wish for a title; it waits for an administrator.
 * @param input.wish as the client sent it
 * @throws AppError what `checkRequest` throws
 */
export async function submitRequest(
  { config, db, clock }: Needs,
  input: { userId: string; wish: RequestInput },
): Promise<MediaRequest> {
  const allowWholeSeries = await readSetting({ config, db }, 'requests.allow_whole_series')
  const wish = checkRequest(input.wish, { allowWholeSeries })
  return insertRequest(db, { userId: input.userId, wish, now: clock.now() })
}
