import { defineErrors } from '../platform/errors/index.ts'

export const scanErrors = defineErrors({
  job_type_unknown: {
    kind: 'failed',
    title: 'Unknown type of job',
    doc: 'A newer release queued the job; this release does not know its type.',
  },
  job_not_ended: {
    kind: 'conflict',
    title: 'The job has not failed',
    doc: 'Only a failed or cancelled job can be repeated.',
  },
  scan_job_not_found: {
    kind: 'not_found',
    title: 'Scan job not found',
    doc: 'No scan job has this id.',
  },
})

/**
 * The row belongs to another worker, because its connection with the lock broke or the job was taken over. The worker must stop and write
 * nothing more.
 */
export class ScanTakenOver extends Error {
  override readonly name = 'ScanTakenOver'
}

/** The thread of a job ended before the job did. */
export class ScanThreadLost extends Error {
  override readonly name = 'ScanThreadLost'
}
