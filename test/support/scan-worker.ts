import { createGetLibraryPaths } from '../../src/core/libraries/index.ts'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { createMetadataProviders } from '../../src/core/metadata/index.ts'
import { openDatabase } from '../../src/core/platform/database/index.ts'
import { createDiskThreads } from '../../src/core/platform/files/index.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { createMediaTools } from '../../src/core/platform/media-tools/index.ts'
import { createOutbound } from '../../src/core/platform/outbound/index.ts'
import { createReaderPool } from '../../src/core/probing/index.ts'
import { runScanJob } from '../../src/core/scanning/index.ts'
import { createBackgroundThrottle } from '../../src/core/platform/threads/index.ts'
import { systemClock } from '../../src/core/platform/time/index.ts'
import { clockInSeconds } from './records.ts'

/**
 * A separate process that runs one scan job: `node scan-worker.ts JOB-ID [store-each-file]`, with DB_HOST and related variables in its
 * environment. It ends by itself or is killed by the test, and prints the final status of the job. With `store-each-file` each reading of
 * the clock advances it by a second, so that every file is a batch.
 */
const [scanJobId = '', batches] = process.argv.slice(2)
const config = loadConfig()
const log = await createLogger(config, { level: 'emergency' })
const database = await openDatabase({ config, log })
const outbound = createOutbound({ log })
const services = {
  db: database.pool,
  throttle: createBackgroundThrottle(),
  diskThreads: createDiskThreads(),
  getLibraryPaths: createGetLibraryPaths({ db: database.pool }),
  connectionUri: database.connectionUri,
  clock: batches === 'store-each-file' ? clockInSeconds() : systemClock,
  log,
  mediaTools: createMediaTools({ config, log }),
  readers: createReaderPool({ threads: 1 }),
  metadata: createMetadataProviders({ config, db: database.pool, clock: systemClock, outbound }),
}
const input = { scanJobId, whenAborted: 'requeue' } as const
const job = await runScanJob(services, input, new AbortController().signal)
process.stdout.write(`${job.status} ${job.itemsAdded}\n`)
await outbound.close()
await database.close()
