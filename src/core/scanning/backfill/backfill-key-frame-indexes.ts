import type { Connection } from '../../platform/database/index.ts'
import { listUnindexedFilms, type UnindexedItem } from '../../streaming/index.ts'
import { indexVideoStream } from './index-video-stream.ts'
import type { JobRun } from '../job/job-run.ts'
import { writeJobProgress, lockClaimedJob } from '../claim/job-progress.ts'

/** Page size. Most items need a few reads; some files are read completely, so pages stay small. */
const ITEMS_PER_PAGE = 50

/** Determines the stream indexes of films without one, at most `most` of them. */
export async function backfillKeyFrameIndexes(run: JobRun, most: number): Promise<void> {
  const { job, services } = run
  let after: UnindexedItem | null = null
  for (let left = most; left > 0;) {
    const page = await listUnindexedFilms(services.db, {
      libraryId: job.libraryId,
      after,
      limit: Math.min(left, ITEMS_PER_PAGE),
    })
    after = page.at(-1) ?? null
    if (after === null) return
    left -= page.length
    for (const item of page) {
      run.signal.throwIfAborted()
      const { id: itemId, path, streamIndex, container } = item
      await indexVideoStream(run, { itemId, path, streamIndex, container })
      await count(run, item.path)
    }
  }
}

async function count(run: JobRun, path: string): Promise<void> {
  const { job, services } = run
  const counters = { ...run.counters, updated: run.counters.updated + 1 }
  const row = await services.db.transaction(async (connection: Connection) => {
    await lockClaimedJob(connection, job)
    return writeJobProgress(connection, run, { counters, currentPath: path })
  })
  Object.assign(run.counters, counters)
  run.onProgress(row)
}
