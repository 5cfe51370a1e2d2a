import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freeSpaceBytes } from '../../../../src/core/platform/files/index.ts'
import { SegmentCache } from '../../../../src/core/streaming/cache/segment-cache.ts'
import { movableClock } from '../../../support/records.ts'

const JOBS = { watched: 'job-watched', older: 'job-older', newer: 'job-newer' }
const HERE = { jobId: JOBS.watched, rendition: '720p', index: 0 }

/** Three jobs with two segments and the small files each; those of `watched` are the oldest. */
function stored(t: Test, { free = 1000, floorBytes = 0 }: { free?: number; floorBytes?: number } = {}) {
  const directory = t.testdir()
  const clock = movableClock()
  for (const [job, age] of [
    [JOBS.watched, 9000],
    [JOBS.older, 5000],
    [JOBS.newer, 1000],
  ] as const) {
    mkdirSync(join(directory, job))
    for (const [index, name] of ['seg-v720p-00000.ts', 'seg-v720p-00001.ts', 'master.m3u8', 'job.json'].entries()) {
      const path = join(directory, job, name)
      writeFileSync(path, 'x'.repeat(10))
      const at = new Date(clock.now().getTime() - (age - index) * 1000)
      utimesSync(path, at, at)
    }
  }
  // Every evicted segment frees the space of one.
  const freeBytes = (): Promise<number> => {
    const segments = Object.values(JOBS).flatMap((job) => segmentsOf(directory, job)).length
    return Promise.resolve(free + 6 - segments)
  }
  return { directory, clock, cache: new SegmentCache({ clock, freeBytes }, { directory, floorBytes }) }
}

function segmentsOf(directory: string, job: string): string[] {
  return readdirSync(join(directory, job)).filter((name) => name.endsWith('.ts'))
}

void t.test('nothing is removed while there is enough free space', async (t) => {
  const { directory, cache } = stored(t)
  await cache.ensureFreeSpace(HERE)
  t.strictSame(await cache.sweep(), { segments: 0, bytes: 0 })
  for (const job of Object.values(JOBS)) t.equal(segmentsOf(directory, job).length, 2, job)
})

void t.test(
  'the least recently used segments are evicted first, no more than needed, and none near the player',
  async (t) => {
    const { directory, cache } = stored(t, { floorBytes: 1003 })
    cache.read(join(directory, JOBS.older, 'seg-v720p-00001.ts'))()
    await cache.ensureFreeSpace(HERE)
    t.strictSame(segmentsOf(directory, JOBS.older), ['seg-v720p-00001.ts'], 'the segment that was just read stays')
    t.strictSame(segmentsOf(directory, JOBS.newer), [], 'both go')
    t.equal(segmentsOf(directory, JOBS.watched).length, 2, 'old as they are')
  },
)

void t.test('segments of the same rendition far from the player are evicted too', async (t) => {
  const { directory, cache } = stored(t, { floorBytes: 1001 })
  await cache.ensureFreeSpace({ ...HERE, index: 12 })
  t.strictSame(segmentsOf(directory, JOBS.watched), ['seg-v720p-00001.ts'])
})

void t.test('a segment is not evicted while it is being read', async (t) => {
  const { directory, cache } = stored(t, { floorBytes: 2000 })
  const path = join(directory, JOBS.older, 'seg-v720p-00000.ts')
  const [first, second] = [cache.read(path), cache.read(path)]
  await t.rejects(cache.ensureFreeSpace(HERE), { code: 'disk_space_low', kind: 'unavailable', retryAfterSeconds: 3 })
  t.ok(existsSync(path))
  t.strictSame(readdirSync(join(directory, JOBS.newer)), ['job.json', 'master.m3u8'], 'playlists stay')
  first()
  await cache.sweep()
  t.ok(existsSync(path), 'one reader is left')
  second()
  await cache.sweep()
  t.notOk(existsSync(path))
})

void t.test('segments without a request for a day are evicted, and times of use outlive the process', async (t) => {
  const { directory, clock, cache } = stored(t)
  clock.advance(23 * 3600)
  const path = join(directory, JOBS.newer, 'seg-v720p-00000.ts')
  const changed = statSync(path).mtimeMs
  cache.read(path)()
  const removed = await cache.sweep()
  t.strictSame(removed, { segments: 4, bytes: 40 }, 'watched and older')
  t.equal(statSync(path).mtimeMs, changed, 'its age is not touched')
  const next = new SegmentCache({ clock, freeBytes: () => Promise.resolve(1) }, { directory, floorBytes: 0 })
  clock.advance(3600)
  t.strictSame(await next.sweep(), { segments: 1, bytes: 10 })
  t.strictSame(segmentsOf(directory, JOBS.newer), ['seg-v720p-00000.ts'])
  t.match(await next.stats(), { jobs: 1, segments: 1, bytes: 10, freeBytes: 1, floorBytes: 0 })
})

void t.test(
  'before the first job the free space is that of the nearest existing folder, and no folder is created',
  async (t) => {
    const directory = join(t.testdir(), 'cache', 'transcodes')
    const cache = new SegmentCache({ clock: movableClock(), freeBytes: freeSpaceBytes }, { directory, floorBytes: 0 })
    const { jobs, freeBytes } = await cache.stats()
    t.equal(jobs, 0)
    t.ok(freeBytes > 0)
    t.notOk(existsSync(directory))
  },
)

void t.test('a missing directory is created, and an empty cache has no statistics', async (t) => {
  const directory = join(t.testdir(), 'cache', 'transcodes')
  const freeBytes = (): Promise<number> => Promise.resolve(5)
  const cache = new SegmentCache({ clock: movableClock(), freeBytes }, { directory, floorBytes: 0 })
  await cache.ensureFreeSpace(HERE)
  t.strictSame(readdirSync(directory), [])
  t.match(await cache.stats(), { jobs: 0, segments: 0, bytes: 0, leastRecentlyUsedAt: null })
})
