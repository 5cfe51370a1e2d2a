import type { Connection } from '../../platform/database/index.ts'
import { isAnalysis } from '../job/scan-job.ts'
import { listJobIdsByStatus } from '../queries/jobs.ts'

/** The ids of the analyses that wait for a worker, oldest first. */
export async function listWaitingAnalyses({ db }: { db: Connection }): Promise<string[]> {
  const waiting = await listJobIdsByStatus(db, { status: 'queued' })
  return waiting.filter(({ type }) => isAnalysis(type)).map(({ id }) => id)
}
