import { storeRootIdentity } from '../../libraries/index.ts'
import { insertScanFailures } from '../queries/failures.ts'
import { ROOT_UNAVAILABLE } from '../walk/root-guard.ts'
import type { ScanState } from '../job/scan-state.ts'

/**
 * Stores the identity of the library's folders for the guard of the next scan, and returns the outcome of the job.
 * @param refusal the reason why nothing was removed, if any
 * @returns undefined, or the reason why the job ends as `failed`
 */
export async function finishScan(scan: ScanState, refusal: string | undefined): Promise<string | undefined> {
  const { db, clock } = scan.services
  const { id: jobId, libraryId } = scan.job
  const failures: { path: string; code: string; reason: string }[] = []
  for (const root of scan.roots) {
    if (!root.isAvailable) failures.push({ path: root.path, code: 'root_unavailable', reason: root.reason })
    else if (scan.unverified.has(root.path)) continue
    else await storeRootIdentity({ db }, { libraryId, path: root.path, identity: root.identity })
  }
  await insertScanFailures(db, { jobId, failures, now: clock.now() })
  return failures.length > 0 ? ROOT_UNAVAILABLE : refusal
}
