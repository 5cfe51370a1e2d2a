import type { ScanJob } from '../../../core/scanning/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { Column } from './table.ts'

/** A job with the name of its library. */
export type JobWithLibrary = { job: ScanJob; library: string }

export const SCAN_JOB_COLUMNS: readonly Column<JobWithLibrary>[] = [
  { title: 'id', text: ({ job }) => job.id },
  { title: 'queued', text: ({ job }) => toIsoTimestamp(job.queuedAt) },
  { title: 'library', text: ({ library }) => library },
  { title: 'type', text: ({ job }) => job.type },
  { title: 'status', text: ({ job }) => job.status },
  { title: 'done', text: ({ job }) => `${job.itemsUpdated}/${job.itemsFound}`, alignRight: true },
  { title: 'error', text: ({ job }) => job.error ?? '' },
]
