import { defineErrors } from '../platform/errors/index.ts'

export const scanErrors = defineErrors({
  library_type_not_scannable: {
    kind: 'invalid',
    title: 'This library type cannot be scanned yet',
    doc: 'This release scans movie libraries only.',
  },
  scan_job_not_found: {
    kind: 'not_found',
    title: 'Scan job not found',
    doc: 'No scan job has this id.',
  },
})

/** The row belongs to another worker by now (its lock was lost, or it was taken up elsewhere): stop, and write nothing more. */
export class ScanTakenOver extends Error {
  override readonly name = 'ScanTakenOver'
}
