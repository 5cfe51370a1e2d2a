import { discoverFiles } from '../walk/discover-files.ts'
import { finishScan } from '../reconcile/finish-scan.ts'
import { readFiles } from '../read/read-files.ts'
import { reconcileFiles } from '../reconcile/reconcile-files.ts'
import { storeBatches } from '../store/store-batches.ts'
import { prefetch } from '../../platform/concurrency/index.ts'
import type { ScanState } from '../job/scan-state.ts'

/** Limit of events waiting for reading. The walk ends early, so that the total is exact early, and memory stays bounded. */
const MAX_WAITING_EVENTS = 5000

/** Limit of read files waiting for the database. */
const MAX_READ_EVENTS = 1000

/**
 * Runs a scan phase by phase; each phase is a file (see README.md). The first three form one stream, folder by folder.
 * @returns undefined on success, or the reason why the job ends as `failed`
 */
export async function runScanPhases(scan: ScanState): Promise<string | undefined> {
  const found = prefetch(discoverFiles(scan), MAX_WAITING_EVENTS)
  // Reading continues while earlier files are written.
  await storeBatches(scan, prefetch(readFiles(scan, found), MAX_READ_EVENTS))
  const refusal = await reconcileFiles(scan)
  return finishScan(scan, refusal)
}
