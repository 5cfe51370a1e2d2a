import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { jobDirectory } from '../../../../src/core/streaming/job/job-directory.ts'
import { findTranscodeJob, insertTranscodeJob } from '../../../../src/core/streaming/job/queries.ts'
import { SegmentServer } from '../../../../src/core/streaming/segments/segment-server.ts'
import { writeStreamPlan } from '../../../../src/core/streaming/job/stream-plan.ts'
import { cancelTranscode } from '../../../../src/core/streaming/transcodes/cancel-transcode.ts'
import { listTranscodes } from '../../../../src/core/streaming/transcodes/list-transcodes.ts'
import { startStreamSweeps, sweepStreams } from '../../../../src/core/streaming/transcodes/sweep-streams.ts'
import { processesOf } from '../../../support/processes.ts'
import { GATED, serve, settle } from '../serve-segments.ts'

const ROWLESS = '00000000-0000-4000-8000-000000000001'

void t.test('jobs and their files', async (t) => {
  const { services, server, ask, jobId, directory } = await serve(t)
  const whole = { ...services, segments: server }

  await t.test('a job is listed with its item and the number of its encoders', async (t) => {
    await ask(0)
    t.match(await listTranscodes(services, { limit: 10 }), [
      { id: jobId, itemName: 'A film', status: 'running', encodedSegments: 1, encoders: 1 },
    ])
  })

  await t.test('a sweep keeps used files, and removes old and orphaned ones', async (t) => {
    const withoutRow = jobDirectory(services.config, ROWLESS)
    await mkdir(withoutRow)
    t.match(await sweepStreams(whole), { segments: 0, jobs: 0, abandonedEncoders: 0 })
    t.ok(existsSync(withoutRow), 'it may be about to get its row')
    const old = new Date(services.clock.now().getTime() - 2 * 3600 * 1000)
    await utimes(withoutRow, old, old)
    const dead = join(directory, '.head-999999999-1-x')
    await mkdir(dead)
    await writeFile(join(dead, '00000.ts'), 'half')
    t.match(await sweepStreams(whole), { abandonedEncoders: 1 })
    t.notOk(existsSync(withoutRow) || existsSync(dead))
    const now = services.clock.now()
    await utimes(await ask(0), now, now)
    services.clock.advance(25 * 3600)
    t.match(await sweepStreams(whole), { segments: 1, jobs: 0 })
    t.notOk((await readdir(directory)).some((name) => name.endsWith('.ts')))
    services.clock.advance(8 * 24 * 3600)
    t.match(await sweepStreams(whole), { jobs: 1 })
    t.notOk(existsSync(directory))
  })

  await t.test('the daemon sweeps at its start, and stops on request', async (t) => {
    const dead = join(jobDirectory(services.config, ROWLESS), '.head-999999999-1-x')
    await mkdir(dead, { recursive: true })
    const sweeping = startStreamSweeps(whole)
    await settle(() => !existsSync(dead))
    await sweeping.stop()
    t.notOk(existsSync(dead))
  })
})

void t.test(
  'cancelling a job ends the encoders of all processes, removes its files, and players get 404',
  async (t) => {
    const { services, server, ask, jobId, directory, pids } = await serve(t)
    await ask(0)
    t.equal(processesOf(directory).length, 1, 'it waits for the next request')
    // As a command does: another process, which does not know the encoder.
    const other = new SegmentServer(services)
    t.match(await cancelTranscode({ ...services, segments: other }, jobId), { id: jobId, status: 'cancelled' })
    await settle(() => processesOf(directory).length === 0)
    t.equal(pids().length, 1)
    t.notOk(existsSync(directory))
    services.clock.advance(31)
    await t.rejects(ask(1), { code: 'transcode_job_not_found' })
    await settle(() => server.counts.encoders === 0)
    await t.rejects(cancelTranscode({ ...services, segments: other }, 'nope'), { code: 'transcode_job_not_found' })
  },
)

void t.test('a job that another process cancels ends at once, also for waiting callers', async (t) => {
  const flags = { 'hls.max_concurrent_transcodes': '1' }
  const { services, server, ask, jobId, directory, plan, starts } = await serve(t, { script: GATED, flags })
  const other = new SegmentServer(services)
  const secondId = '00000000-0000-4000-8000-000000000002'
  const second = jobDirectory(services.config, secondId)
  await mkdir(second)
  await writeStreamPlan(second, plan)
  const { mediaItemId } = (await findTranscodeJob(services.db, jobId)) ?? {}
  await insertTranscodeJob(services.db, {
    id: secondId,
    mediaItemId: mediaItemId ?? '',
    profile: 'generic',
    status: 'running',
    variants: [],
    createdAt: services.clock.now(),
  })

  // The first segment of one job has the only slot; all others wait for it.
  const asked = [ask(0), ask(1), ask(0, { rendition: 'original' })]
  await settle(() => starts() === 1)
  const queued = server.segment({ jobId: secondId, rendition: '90p', index: 0 })
  await settle(() => server.counts.wanted === 4)
  const refused = [...asked, queued].map((one) => t.rejects(one, { code: 'transcode_job_not_found' }))

  await cancelTranscode({ ...services, segments: other }, secondId)
  await refused[3]
  t.equal(server.counts.wanted, 3, 'one that waits for the encoders of others does not wait for its turn')
  await cancelTranscode({ ...services, segments: other }, jobId)
  await Promise.all(refused)
  t.equal(starts(), 1, 'no other encoder was started')
  await settle(() => server.counts.encoders === 0)
  t.strictSame(server.counts, { wanted: 0, encoders: 0, suspended: 0 })
  t.equal(processesOf(directory).length, 0)
  await t.rejects(ask(0), { code: 'transcode_job_not_found' }, 'the job was cached by the daemon')
  await sweepStreams({ ...services, segments: server })
  t.strictSame(await readdir(dirname(directory)), [], 'no folder is there, or has come back')
})

void t.test('a sweep removes the remains of a cancelled job whose process was killed', async (t) => {
  const { services, server, directory } = await serve(t)
  const left = join(dirname(directory), '.removed-00000000-0000-4000-8000-000000000003')
  await mkdir(left)
  await writeFile(join(left, 'seg-v90p-00000.ts'), 'a segment')
  await sweepStreams({ ...services, segments: server })
  t.notOk(existsSync(left))
  t.ok(existsSync(directory))
})
