import { selectItemsWithoutTrickplay } from '../../analysis/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { selectTranscodeJobs } from '../job/queries.ts'
import { readJobProgress } from './transcode-progress.ts'

type Services = { db: Database; config: Pick<Config, 'dataDirectory'> }

/** More jobs than a household uses within some minutes. */
const MAX_JOBS = 100

/**
 * The films whose transcode is complete and whose pictures of the time line were not tried yet. Completeness is derived from the files of a
 * job, so that transcodes of other processes and of earlier runs are found too. Only the most recently used jobs are examined.
 */
export async function listTranscodedItemsWithoutTrickplay({ db, config }: Services): Promise<string[]> {
  const itemIds = new Set<string>()
  for (const job of await selectTranscodeJobs(db, MAX_JOBS)) {
    if ((await readJobProgress({ config }, job)).status === 'completed') itemIds.add(job.mediaItemId)
  }
  return selectItemsWithoutTrickplay(db, [...itemIds])
}
