import type { ScanJob } from '../../../core/scanning/index.ts'

type Server = { isServerRunning: boolean }

/**
 * Says when a queued scan starts.
 * @param name `its first scan`
 */
export function describeQueuedScan(name: string, { libraryId }: ScanJob, { isServerRunning }: Server): string {
  if (isServerRunning) return `${name} is queued`
  return `${name} starts with the next server; to run it now: phlix library:scan ${libraryId}`
}

/** The keys of a queued scan in documents. `scan_waits_for_server`: no server runs, so the scan starts with the next one. */
export function queuedScanKeys(scan: ScanJob | undefined, { isServerRunning }: Server) {
  return { scan_job_id: scan?.id ?? null, scan_waits_for_server: scan !== undefined && !isServerRunning }
}
