import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { JobQueue } from '../../../../src/core/platform/jobs/index.ts'
import { systemClock } from '../../../../src/core/platform/time/index.ts'
import {
  createLibraryAndScan,
  findActiveScan,
  listLibraryScanJobs,
  queueScan,
  updateLibraryAndScan,
} from '../../../../src/core/scanning/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { sharedDiskThreads } from '../../../support/disk-threads.ts'
import { reachableDirectory } from '../../../support/directories.ts'

async function setup(t: Test) {
  const { pool: db } = await testDatabase(t)
  const path = reachableDirectory(t)
  const config = { dataDirectory: reachableDirectory(t) }
  const services = { db, clock: systemClock, config, diskThreads: sharedDiskThreads() }
  const create = (more: { jobs?: JobQueue } = {}, isScanWanted = true) =>
    createLibraryAndScan({ ...services, ...more }, { name: 'Films', type: 'movie', path }, { isScanWanted })
  return { services, path, create }
}

void t.test('a new library has an automatic scan in its queue, with or without a worker to wake', async (t) => {
  const { services, create } = await setup(t)
  const { library, scan } = await create()
  t.match(await findActiveScan(services, library.id), {
    id: scan?.id,
    type: 'scan',
    status: 'queued',
    isAutomatic: true,
  })
  const woken: unknown[] = []
  const jobs = {
    enqueue: async (queue: string, data: unknown) => void woken.push([queue, data]),
  } as unknown as JobQueue
  const second = await setup(t)
  const served = await second.create({ jobs })
  t.strictSame(woken, [['library.scan', { id: served.scan?.id }]])
})

void t.test('an unwanted first scan is not queued', async (t) => {
  const { services, create } = await setup(t)
  const { library, scan } = await create({}, false)
  t.equal(scan, undefined)
  t.strictSame(await listLibraryScanJobs(services, { libraryId: library.id }), [])
})

void t.test('a change queues a scan only if folders changed, and joins a scan that a user has requested', async (t) => {
  const { services, path, create } = await setup(t)
  const { library } = await create({}, false)
  const more = join(path, '..', 'more')
  await mkdir(more, { recursive: true })
  const renamed = await updateLibraryAndScan(services, { libraryId: library.id, name: 'Cinema' })
  t.match(renamed, { library: { name: 'Cinema' }, scan: undefined })
  const requested = await queueScan(services, { libraryId: library.id, type: 'scan' })
  const moved = await updateLibraryAndScan(services, { libraryId: library.id, paths: [path, more] })
  t.equal(moved.scan?.id, requested.id)
  t.match(await findActiveScan(services, library.id), { id: requested.id, isAutomatic: false })
})
