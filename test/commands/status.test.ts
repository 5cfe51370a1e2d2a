import { mkdir, rm } from 'node:fs/promises'
import t from 'tap'
import { queueScan } from '../../src/core/scanning/index.ts'
import { acquireProcessLock } from '../../src/core/platform/spawn/index.ts'
import { systemClock } from '../../src/core/platform/time/index.ts'
import { testDatabase } from '../support/database.ts'
import { runPhlix, siblingOfDataDirectory, startPhlix, temporaryDataDirectory } from '../support/phlix.ts'
import { makeLibrary } from '../support/records.ts'
import { waitUntil } from '../support/wait-until.ts'

const data = await temporaryDataDirectory(t)
const { environment, pool: db } = await testDatabase(t)
const films = siblingOfDataDirectory(data, 'films')
await mkdir(films)
t.teardown(() => rm(films, { recursive: true, force: true }))

void t.test('status shows the server, jobs and counts', async (t) => {
  const library = await makeLibrary(db, films, 'Films')
  await queueScan({ db, clock: systemClock }, { libraryId: library.id, type: 'scan' })
  const read = async () =>
    JSON.parse((await runPhlix(['status', '--json', '--data-dir', data], { environment })).stdout) as object
  t.match(await read(), {
    schema: 'status/1',
    server: null,
    database: { engine: 'external', bytes: Number },
    jobs: [{ kind: 'scan', state: 'queued', count: 1 }],
    items: [],
    deliveries: [],
    sessions: { users: 0, sign_ins: 0, players: 0 },
    disk: { free_bytes: Number, min_free_bytes: 524_288_000 },
  })
  const lock = acquireProcessLock({ path: `${data}/serve.lock`, address: 'http://127.0.0.1:1' })
  t.teardown(() => lock.release())
  t.match(await read(), { server: { pid: process.pid, address: 'http://127.0.0.1:1', uptime_seconds: Number } })
})

void t.test('--watch repeats it until a signal', async (t) => {
  const { child, result } = startPhlix(['status', '--watch', '--data-dir', data], { environment })
  let shown = ''
  child.stdout?.on('data', (text: string) => (shown += text))
  await waitUntil('it is shown twice', async () => shown.split('\ntime ').length > 2)
  child.kill('SIGTERM')
  t.equal((await result).code, 143)
})
