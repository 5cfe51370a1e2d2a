import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freeSpaceBytes } from '../../../src/core/platform/files/index.ts'
import { ensureFreeSpace } from '../../../src/core/streaming/segment-cache.ts'

const JOBS = { watched: 'job-watched', older: 'job-older', newer: 'job-newer' }

/** Three jobs with two segments and the small files each; `older` has the oldest segments. */
function stored(t: Test): string {
  const directory = t.testdir()
  for (const [job, age] of [
    [JOBS.watched, 9000],
    [JOBS.older, 5000],
    [JOBS.newer, 1000],
  ] as const) {
    mkdirSync(join(directory, job))
    for (const [index, name] of ['seg-v720p-00000.ts', 'seg-v720p-00001.ts', 'master.m3u8', 'job.json'].entries()) {
      const path = join(directory, job, name)
      writeFileSync(path, '')
      utimesSync(path, new Date(), new Date(1_700_000_000_000 - (age - index) * 1000))
    }
  }
  return directory
}

function segmentsOf(directory: string, job: string): string[] {
  return readdirSync(join(directory, job)).filter((name) => name.endsWith('.ts'))
}

void t.test('nothing is removed while there is room', async (t) => {
  const directory = stored(t)
  await ensureFreeSpace({ directory, jobId: JOBS.watched, floorBytes: 1, freeBytes: freeSpaceBytes })
  for (const job of Object.values(JOBS)) t.equal(segmentsOf(directory, job).length, 2, job)
})

void t.test('the oldest segments of other jobs go first, and no more than needed', async (t) => {
  const directory = stored(t)
  let free = 97
  const freeBytes = (): Promise<number> => Promise.resolve((free += 1))
  await ensureFreeSpace({ directory, jobId: JOBS.watched, floorBytes: 101, freeBytes })
  t.strictSame(segmentsOf(directory, JOBS.older), [], 'both of the oldest')
  t.strictSame(segmentsOf(directory, JOBS.newer), ['seg-v720p-00001.ts'], 'one of the next')
  t.equal(segmentsOf(directory, JOBS.watched).length, 2, 'none of the watched job, old as they are')
})

void t.test('below the floor after all, it is refused with the time to wait, and playlists stay', async (t) => {
  const directory = stored(t)
  const floorBytes = Number.MAX_SAFE_INTEGER
  await t.rejects(ensureFreeSpace({ directory, jobId: JOBS.watched, floorBytes, freeBytes: freeSpaceBytes }), {
    code: 'disk_space_low',
    kind: 'unavailable',
    retryAfterSeconds: 3,
  })
  t.strictSame(readdirSync(join(directory, JOBS.older)), ['job.json', 'master.m3u8'])
  t.equal(segmentsOf(directory, JOBS.watched).length, 2)
})

void t.test('the directory is made where it is missing', async (t) => {
  const directory = join(t.testdir(), 'cache', 'transcodes')
  await ensureFreeSpace({ directory, jobId: 'x', floorBytes: 0, freeBytes: freeSpaceBytes })
  t.strictSame(readdirSync(directory), [])
})
