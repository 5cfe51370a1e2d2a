import type { Library } from '../../../core/libraries/index.ts'
import type { ScanFailure, ScanJob } from '../../../core/scanning/index.ts'
import type { Services } from '../../../core/services.ts'
import { requestScan, followJob } from './follow-scan.ts'
import type { Progress } from './progress-status.ts'
import { replaceControlCharacters } from '../output/table.ts'
import { pluralize } from '../../../core/platform/errors/index.ts'

export type MetadataJobType = 'metadata' | 'metadata_refresh' | 'clear_metadata'

export type EndedMetadataJob = { library: Library; job: ScanJob; failures: readonly ScanFailure[] }

/**
 * Queues a metadata job and follows it to its end.
 * @throws the errors of `requestScan` and `followJob`
 */
export async function runMetadataJob(
  services: Services,
  request: { library: Library; type: MetadataJobType; force: boolean },
  around: { signal: AbortSignal; progress: Progress; timeoutSeconds: number | undefined },
): Promise<EndedMetadataJob> {
  const { listScanFailures } = await import('../../../core/scanning/index.ts')
  const job = await followJob(services, await requestScan(services, request), around)
  const failures = job.itemsFailed === 0 ? [] : await listScanFailures(services, { scanJobId: job.id })
  return { library: request.library, job, failures }
}

/** The document of all three commands. `remark` is the reason why a completed job did nothing. */
export function metadataJobDocument({ library, job, failures }: EndedMetadataJob): Record<string, unknown> {
  return {
    library_id: library.id,
    dry_run: false,
    job_id: job.id,
    type: job.type,
    status: job.status,
    found: job.itemsFound,
    processed: job.itemsUpdated,
    unmatched_count: job.itemsFailed,
    unmatched: failures.map(({ path, code, reason }) => ({ path, code, reason })),
    remark: job.error,
  }
}

/** The document of a command that queued no job: nothing was queried or written. */
export function skippedJobDocument(
  library: Library,
  { type, count, isDryRun }: { type: MetadataJobType; count: number; isDryRun: boolean },
): Record<string, unknown> {
  return {
    library_id: library.id,
    dry_run: isDryRun,
    job_id: null,
    type,
    status: null,
    found: count,
    processed: 0,
    unmatched_count: 0,
    unmatched: [],
    remark: null,
  }
}

/** `Matched "Films": 12 of 14 items, 2 unchanged`. */
export function describeMetadataJob(verb: string, { library, job }: EndedMetadataJob): string {
  const done = job.itemsUpdated - job.itemsFailed
  const left = job.itemsFailed === 0 ? '' : `, ${job.itemsFailed} unchanged`
  return `${verb} "${replaceControlCharacters(library.name)}": ${done} of ${pluralize(job.itemsFound, 'item')}${left}`
}
