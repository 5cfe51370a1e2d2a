import { discover } from './phases/discover.ts'
import { finish } from './phases/finish.ts'
import { read } from './phases/read.ts'
import { reconcile } from './phases/reconcile.ts'
import { store } from './phases/store.ts'
import { prefetch } from '../platform/concurrency/index.ts'
import type { Scan } from './scan.ts'

/** Events that may wait for reading: the walk ends early, so that the total is exact early, and memory stays bounded. */
const MAX_WAITING_EVENTS = 5000

/** Files that may have been read and wait for the database. */
const MAX_READ_EVENTS = 1000

/**
 * The story of a scan, phase by phase; each phase is a file (see README.md). The first three are one stream, folder by folder.
 * @returns undefined when all went well, or the sentence that the job ends `failed` with
 */
export async function runScan(scan: Scan): Promise<string | undefined> {
  const found = prefetch(discover(scan), MAX_WAITING_EVENTS)
  // Files go on being read while the ones before them are being written.
  await store(scan, prefetch(read(scan, found), MAX_READ_EVENTS))
  const refusal = await reconcile(scan)
  return finish(scan, refusal)
}
