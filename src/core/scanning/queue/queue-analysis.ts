import { hasFilms, hasNewEpisodes, type AnalysisFeature } from '../../analysis/index.ts'
import { getLibrary, analysesMarkersAfterScan, makesTrickplayAfterScan } from '../../libraries/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { ScanJob } from '../job/scan-job.ts'
import { findLatestScan } from './list-scan-jobs.ts'
import { queueScan } from './queue-scan.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger; jobs?: JobQueue }

/**
 * Queues an analysis after a scan, if the library's options ask for it and films wait for it. One job makes both markers and pictures.
 * Errors are only logged, because the scan itself has succeeded.
 * @returns the queued job; undefined if there is nothing to analyse
 */
export async function queueAnalysisAfterScan(services: Dependencies, ended: ScanJob): Promise<ScanJob | undefined> {
  const isScan = ended.type === 'scan' || ended.type === 'rescan'
  if (!isScan || ended.status !== 'completed') return undefined
  try {
    return await queueConfiguredAnalysis(services, ended.libraryId)
  } catch (error) {
    services.log.warning(
      { libraryId: ended.libraryId, reason: describeError(error) },
      'no analysis was queued after a scan',
    )
    return undefined
  }
}

/**
 * Queues the analysis that the options of a library ask for, if films or seasons wait for it. One that failed or found nothing to do is not
 * repeated within the hour.
 * @throws AppError `library_not_found`
 */
export async function queueConfiguredAnalysis(
  services: Pick<Dependencies, 'db' | 'clock' | 'jobs'>,
  libraryId: string,
): Promise<ScanJob | undefined> {
  const library = await getLibrary(services, libraryId)
  const hasMarkers = analysesMarkersAfterScan(library)
  const features: AnalysisFeature[] = [
    ...(hasMarkers ? (['fingerprint', 'credits'] as const) : []),
    ...(makesTrickplayAfterScan(library) ? (['trickplay'] as const) : []),
  ]
  if (features.length === 0) return undefined
  const isWaiting =
    (await hasFilms(services.db, { libraryId, features, itemId: null, notBefore: null })) ||
    (hasMarkers && (await hasNewEpisodes(services.db, libraryId)))
  if (!isWaiting || (await hasEndedWithoutResult(services, libraryId))) return undefined
  return queueScan(services, { libraryId, type: hasMarkers ? 'markers' : 'trickplay', isAutomatic: true })
}

const RETRY_MILLISECONDS = 3600_000

async function hasEndedWithoutResult(
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  libraryId: string,
): Promise<boolean> {
  const last = await findLatestScan({ db }, libraryId, { isAnalysis: true })
  if (last === undefined || last.completedAt === null || last.status === 'cancelled') return false
  const isWithoutResult = last.status === 'failed' || last.itemsUpdated === 0
  return isWithoutResult && clock.now().getTime() - last.completedAt.getTime() < RETRY_MILLISECONDS
}
