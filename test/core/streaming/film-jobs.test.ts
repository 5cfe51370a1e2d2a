import { existsSync } from 'node:fs'
import { mkdir, rename, utimes } from 'node:fs/promises'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { markSegmentFailure } from '../../../src/core/streaming/segments/failure-marker.ts'
import { jobDirectory } from '../../../src/core/streaming/job/job-directory.ts'
import { markJobUsed } from '../../../src/core/streaming/job/queries.ts'
import { createSegmentServer } from '../../../src/core/streaming/segments/segment-server.ts'
import { startTranscode } from '../../../src/core/streaming/transcodes/start-transcode.ts'
import { readStreamPlan } from '../../../src/core/streaming/job/stream-plan.ts'
import { cancelTranscode } from '../../../src/core/streaming/transcodes/cancel-transcode.ts'
import { sweepStreams } from '../../../src/core/streaming/transcodes/sweep-streams.ts'
import { getTranscodeProgress } from '../../../src/core/streaming/transcodes/transcode-progress.ts'
import { sampleMedia } from '../../support/media.ts'
import { addFilm, streamingServices } from './film-item.ts'

/** A film of 2 s with a second file of 2 s. */
async function filmInParts(t: Test) {
  const services = await streamingServices(t)
  const film = await addFilm(t, services, await sampleMedia('film-tiny-mp4'))
  const part = await addFilm(t, services, await sampleMedia('film-tiny-mp4'))
  await services.db.query(sql.unsafe`
    update media_items set role = 'part', primary_id = ${film.itemId}, role_order = 2 where id = ${part.itemId}`)
  const start = () => startTranscode(services, { itemId: film.itemId })
  const partsOf = async (jobId: string) => (await readStreamPlan(jobDirectory(services.config, jobId)))?.parts ?? []
  return { services, film, part, start, partsOf }
}

const UsedRow = z.strictObject({ id: z.string(), lastUsedAt: z.date() })

void t.test('concurrent starts of a film get the same jobs', async (t) => {
  const { services, start, part } = await filmInParts(t)
  const started = await Promise.all([start(), start(), start()])
  t.equal(new Set(started.map(({ job }) => job.id)).size, 1)
  const running = await services.db.anyFirst(sql.type(z.strictObject({ mediaItemId: z.string() }))`
    select media_item_id from transcode_jobs where status = 'running'`)
  t.equal(running.length, 2)
  const alone = await startTranscode(services, { itemId: part.itemId })
  t.equal(alone.isReused, true, 'a part alone uses its own job')
  t.equal((await start()).isReused, true, 'the job of the film is unchanged')
})

void t.test('the jobs of a film are used together, and swept together', async (t) => {
  const { services, start, partsOf } = await filmInParts(t)
  const { job } = await start()
  const [part] = await partsOf(job.id)
  const ids = [job.id, part?.jobId ?? '']
  const used = async () =>
    services.db.any(sql.type(UsedRow)`select id, last_used_at from transcode_jobs order by last_used_at, id`)
  for (const id of ids) {
    services.clock.advance(6 * 24 * 3600)
    await markJobUsed(services.db, { id, now: services.clock.now() })
    const times = (await used()).map(({ lastUsedAt }) => lastUsedAt.toISOString())
    t.strictSame(new Set(times), new Set([services.clock.now().toISOString()]))
  }
  const segments = createSegmentServer(services)
  t.teardown(() => segments.close())
  t.match(await sweepStreams({ ...services, segments }), { jobs: 0 })
  services.clock.advance(8 * 24 * 3600)
  t.match(await sweepStreams({ ...services, segments }), { jobs: 2 })
  for (const id of ids) t.notOk(existsSync(jobDirectory(services.config, id)))
})

void t.test('a part that has changed needs new jobs for it and for the film', async (t) => {
  const { start, part, partsOf } = await filmInParts(t)
  const before = await start()
  const later = new Date('2026-05-01T00:00:00Z')
  await utimes(part.path, later, later)
  const after = await start()
  t.equal(after.isReused, false)
  t.not(after.job.id, before.job.id)
  const jobs = [(await partsOf(before.job.id))[0], (await partsOf(after.job.id))[0]]
  t.not(jobs[1]?.jobId, jobs[0]?.jobId)
  t.match(jobs, [{ startMicroseconds: 2_000_000 }, { startMicroseconds: 2_000_000 }])
})

void t.test('a failed segment of a part marks the film as failed', async (t) => {
  const { services, start, partsOf } = await filmInParts(t)
  const { job } = await start()
  const [part] = await partsOf(job.id)
  const failure = { rendition: '180p', index: 0, reason: 'broken', at: '2026-01-01T00:00:00Z' }
  await markSegmentFailure(jobDirectory(services.config, part?.jobId ?? ''), failure)
  t.equal((await getTranscodeProgress(services, job.id)).status, 'failed')
})

void t.test('a part with a missing file is omitted, and included again after its return', async (t) => {
  const { start, part, film, partsOf } = await filmInParts(t)
  await rename(part.path, `${part.path}.gone`)
  const shorter = await start()
  t.strictSame(await partsOf(shorter.job.id), [])
  t.match(await start(), { isReused: true, job: { id: shorter.job.id } })
  await rename(`${part.path}.gone`, part.path)
  const whole = await start()
  t.equal(whole.isReused, false)
  t.match(await partsOf(whole.job.id), [{ itemId: part.itemId, startMicroseconds: 2_000_000 }])
  await rename(film.path, `${film.path}.gone`)
  await t.rejects(start(), { code: 'file_not_found' }, 'without the first file there is nothing to play')
})

void t.test('a part whose file exists but cannot be opened is an error', async (t) => {
  const { start, part } = await filmInParts(t)
  await rename(part.path, `${part.path}.gone`)
  await mkdir(part.path)
  await t.rejects(start(), { code: 'not_a_regular_file' })
})

void t.test('cancelling the job of a part cancels those of all files of the film', async (t) => {
  const { services, start, partsOf, film } = await filmInParts(t)
  const third = await addFilm(t, services, await sampleMedia('film-tiny-mp4'))
  await services.db.query(sql.unsafe`
    update media_items set role = 'part', primary_id = ${film.itemId}, role_order = 3 where id = ${third.itemId}`)
  const { job } = await start()
  const ids = [job.id, ...(await partsOf(job.id)).map(({ jobId }) => jobId)]
  t.equal(ids.length, 3)
  const segments = createSegmentServer(services)
  t.teardown(() => segments.close())
  t.match(await cancelTranscode({ ...services, segments }, ids[1] ?? ''), { id: ids[1], status: 'cancelled' })
  const statuses = await services.db.anyFirst(sql.type(z.strictObject({ status: z.string() }))`
    select status from transcode_jobs`)
  t.strictSame(statuses, ['cancelled', 'cancelled', 'cancelled'])
  for (const id of ids) t.notOk(existsSync(jobDirectory(services.config, id)))
  t.equal((await start()).isReused, false)
})
