import { createLibrary } from '../src/core/libraries/index.ts'
import { loadConfig } from '../src/core/platform/config/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { queueScan, runScanJob } from '../src/core/scanning/index.ts'
import { createServices } from '../src/core/services.ts'
import { deleteLibrary } from '../src/core/maintenance/index.ts'
import type { SongScan } from './songs.ts'

/** usage: scan-songs.ts MUSIC DATA_DIRECTORY: scans the folder as a new library and prints how long that took. */
const [music = '', dataDirectory = ''] = process.argv.slice(2)
const config = loadConfig({ dataDirectory, environment: {} })
const services = await createServices({ config, log: await createLogger(config, { level: 'error' }) })
const library = await createLibrary(services, { name: `Music ${process.pid}`, type: 'music', path: music })
const started = performance.now()
const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
const { jobs: _jobs, ...runner } = services
const job = await runScanJob(runner, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
const scanMilliseconds = performance.now() - started
if (job.status !== 'completed') throw new Error(`the scan ended ${job.status}: ${job.error}`)
const { user, system } = process.cpuUsage()
const answer: SongScan = {
  scanMilliseconds,
  processorMilliseconds: (user + system) / 1000,
}
// A folder belongs to one library only, and the next round creates a library for it again.
await deleteLibrary(services, library.id)
await services.close()
process.stdout.write(JSON.stringify(answer))
