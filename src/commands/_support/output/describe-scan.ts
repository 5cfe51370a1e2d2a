import type { Library } from '../../../core/libraries/index.ts'
import type { ScanFailure, ScanJob } from '../../../core/scanning/index.ts'
import { scanJobView } from '../../../core/views/index.ts'
import { commandErrors } from '../errors.ts'
import { replaceControlCharacters } from './table.ts'
import { pluralize } from '../../../core/platform/errors/index.ts'

export type EndedScan = { library: Library; job: ScanJob; failures: readonly ScanFailure[] }

/** The `--json` output, schema `library.scan/1`. `updated` counts processed files, changed or not, as in the HTTP API. */
export function scanDocument({ library, job, failures }: EndedScan): Record<string, unknown> {
  const { queued_at, started_at, completed_at } = scanJobView(job)
  return {
    job_id: job.id,
    library_id: library.id,
    type: job.type,
    status: job.status,
    found: job.itemsFound,
    added: job.itemsAdded,
    updated: job.itemsUpdated,
    removed: job.itemsRemoved,
    failed_count: job.itemsFailed,
    failed: failures.map(({ path, code, reason }) => ({ path, code, reason })),
    changes: job.itemsAdded > 0 || job.itemsRemoved > 0,
    queued_at,
    started_at,
    completed_at,
    duration_seconds: durationSeconds(job),
  }
}

/** `Scanned "Films": 1 204 files, 3 new, 0 removed in 8.1 s`. */
export function describeScan({ library, job }: EndedScan): string {
  const name = replaceControlCharacters(library.name)
  if (job.status === 'queued') return `Queued a ${job.type} of "${name}" (${job.id})`
  const counts = [
    pluralize(job.itemsFound, 'file', { number: grouped(job.itemsFound) }),
    `${grouped(job.itemsAdded)} new`,
    `${grouped(job.itemsRemoved)} removed`,
  ]
  if (job.itemsFailed > 0) counts.push(`${grouped(job.itemsFailed)} failed`)
  const seconds = durationSeconds(job)
  return `Scanned "${name}": ${counts.join(', ')}${seconds === null ? '' : ` in ${seconds.toFixed(1)} s`}`
}

const SHOWN_FAILURES = 10

/** Lines for stderr about failed files; the first ten are named. */
export function describeFailures({ job, failures }: EndedScan): string[] {
  const lines = failures
    .slice(0, SHOWN_FAILURES)
    .map(({ path, reason }) => `${replaceControlCharacters(path)}: ${replaceControlCharacters(reason)}`)
  const hidden = job.itemsFailed - lines.length
  return hidden > 0 ? [...lines, `and ${grouped(hidden)} more`] : lines
}

/** `running rescan, 42 %`; `completed scan`. */
export function describeJob(job: ScanJob): string {
  const share = job.itemsFound === 0 ? '' : `, ${Math.floor((100 * job.itemsUpdated) / job.itemsFound)} %`
  return `${job.status} ${job.type}${job.status === 'running' ? share : ''}`
}

/** How the error of a job begins when a folder of the library is missing, empty or unreadable. */
const ROOT_PROBLEM = 'library root is not available'

/** The error of a job that was not completed; undefined for a completed job. */
export function scanFailure(job: ScanJob): Error | undefined {
  const details = { job_id: job.id, status: job.status }
  if (job.status === 'cancelled') return commandErrors.scan_cancelled({ details })
  if (job.status !== 'failed') return undefined
  const message = job.error ?? undefined
  return message?.startsWith(ROOT_PROBLEM) === true
    ? commandErrors.scan_root_unavailable({ message, details })
    : commandErrors.scan_failed({ message, details })
}

function durationSeconds(job: ScanJob): number | null {
  if (job.startedAt === null || job.completedAt === null) return null
  // The clock may have been set back during the job.
  return Math.max(0, job.completedAt.getTime() - job.startedAt.getTime()) / 1000
}

/** 1204 → `1 204`. */
function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ' ')
}
