import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { createScanThread, getScanJob, queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { deleteLibraryRecord } from '../../../../src/core/libraries/index.ts'
import { countRows, putNoise } from '../../../support/scanning.ts'
import { makeLibrary } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'
import { gatedProbe } from '../../../support/gated-probe.ts'

const FILES = 8

type Wish = { isGated?: boolean; heapLimitMebibytes?: number }

/** A queued scan of some files, and a thread for it whose log is recorded. */
async function setup(t: Test, { isGated = false, ...limits }: Wish = {}) {
  const top = t.testdir({ films: {} })
  const gate = await gatedProbe(top)
  const services = await testServices(t, isGated ? { environment: gate.environment } : {})
  for (let index = 0; index < FILES; index += 1) putNoise(join(top, 'films'), `${index}.mp4`, 50 + index)
  const library = await makeLibrary(services.db, join(top, 'films'))
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = await createLogger(services.config, { level: 'info', destination })
  const scanThread = createScanThread({ ...services, log, ...limits })
  t.teardown(() => scanThread.close())
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  const run = (signal: AbortSignal) =>
    runScanJob({ ...services, scanThread }, { scanJobId: id, whenAborted: 'requeue' }, signal)
  return { services, library, lines, gate, id, run, scanThread }
}

const never = new AbortController().signal

void t.test('a job in a thread ends as one in the main thread does, is announced, and its log is there', async (t) => {
  const { services, library, lines, id, run } = await setup(t)
  const announced: unknown[] = []
  services.events.subscribe('library.updated', (event) => announced.push(event))
  const job = await run(never)
  const counts = { itemsFound: FILES, itemsAdded: FILES, itemsFailed: FILES }
  t.match(job, { id, status: 'completed', ...counts })
  t.match(await getScanJob(services, id), job, 'the answer is the row')
  t.match(await countRows(services.db), { items: FILES })
  t.match(announced, [{ libraryId: library.id, outcome: 'completed', itemsAdded: FILES }])
  const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  t.match(said.at(-1), { level: 'info', domain: 'scanning', scanJobId: id, status: 'completed', msg: 'scan ended' })
})

void t.test('a stopped job is queued again, and another thread continues it', async (t) => {
  const { gate, id, run } = await setup(t, { isGated: true })
  const stop = new AbortController()
  const first = run(stop.signal)
  await gate.started()
  stop.abort()
  t.match(await first, { id, status: 'queued' })
  await gate.open()
  t.match(await run(never), { id, status: 'completed', itemsAdded: FILES })
})

void t.test('a job that is queued again while it runs ends for both callers', async (t) => {
  const { gate, id, run } = await setup(t, { isGated: true })
  const first = run(never)
  await gate.started()
  t.match(await run(never), { id, status: 'running' }, 'the second finds it taken')
  await gate.open()
  t.match(await first, { id, status: 'completed', itemsAdded: FILES })
})

void t.test('a job whose library was deleted meanwhile is not found, as in the main thread', async (t) => {
  const { services, library, id, scanThread } = await setup(t)
  await deleteLibraryRecord(services, library.id)
  const gone = scanThread.run({ scanJobId: id, whenAborted: 'requeue' }, never)
  await t.rejects(gone, { code: 'scan_job_not_found', kind: 'not_found' })
})

void t.test('a thread that ends fails its job and nothing else', async (t) => {
  const { services, lines, id, run } = await setup(t, { heapLimitMebibytes: 4 })
  t.match(await run(never), { id, status: 'failed' })
  const { status, error } = await getScanJob(services, id)
  t.match({ status, error }, { status: 'failed', error: /thread/ })
  t.match(lines.join(''), /the scan thread failed/)
})
