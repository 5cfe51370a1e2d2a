import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { jobDirectory } from '../../../src/core/streaming/job-directory.ts'
import { SegmentServer } from '../../../src/core/streaming/segment-server.ts'
import {
  cancelTranscode,
  keepStreamsSwept,
  listTranscodes,
  sweepStreams,
} from '../../../src/core/streaming/stream-upkeep.ts'
import { processesOf } from '../../support/processes.ts'
import { serve, settle } from './serve-segments.ts'

const ROWLESS = '00000000-0000-4000-8000-000000000001'

void t.test('jobs and their files', async (t) => {
  const { services, server, ask, jobId, directory } = await serve(t)
  const whole = { ...services, segments: server }

  await t.test('a job is listed with its item and the encoders that work for it', async (t) => {
    await ask(0)
    t.match(await listTranscodes(services, { limit: 10 }), [
      { id: jobId, itemName: 'A film', status: 'running', encodedSegments: 1, encoders: 1 },
    ])
  })

  await t.test('a sweep leaves what is used, and takes what is old or nobody’s', async (t) => {
    const nobodys = jobDirectory(services.config, ROWLESS)
    await mkdir(nobodys)
    t.match(await sweepStreams(whole), { segments: 0, jobs: 0, abandonedEncoders: 0 })
    t.ok(existsSync(nobodys), 'it may be about to get its row')
    const old = new Date(services.clock.now().getTime() - 2 * 3600 * 1000)
    await utimes(nobodys, old, old)
    const dead = join(directory, '.head-999999999-1-x')
    await mkdir(dead)
    await writeFile(join(dead, '00000.ts'), 'half')
    t.match(await sweepStreams(whole), { abandonedEncoders: 1 })
    t.notOk(existsSync(nobodys) || existsSync(dead))
    const now = services.clock.now()
    await utimes(await ask(0), now, now)
    services.clock.advance(25 * 3600)
    t.match(await sweepStreams(whole), { segments: 1, jobs: 0 })
    t.notOk((await readdir(directory)).some((name) => name.endsWith('.ts')))
    services.clock.advance(8 * 24 * 3600)
    t.match(await sweepStreams(whole), { jobs: 1 })
    t.notOk(existsSync(directory))
  })

  await t.test('the daemon sweeps at its start, and stops when told', async (t) => {
    const dead = join(jobDirectory(services.config, ROWLESS), '.head-999999999-1-x')
    await mkdir(dead, { recursive: true })
    const sweeping = keepStreamsSwept(whole)
    await settle(() => !existsSync(dead))
    await sweeping.stop()
    t.notOk(existsSync(dead))
  })
})

void t.test(
  'cancelling a job ends the encoders of other processes too, takes its files, and players get 404',
  async (t) => {
    const { services, server, ask, jobId, directory, pids } = await serve(t)
    await ask(0)
    t.equal(processesOf(directory).length, 1, 'it waits for the next request')
    // As a command does: another process, which knows nothing of the encoder.
    const other = new SegmentServer(services)
    t.match(await cancelTranscode({ ...services, segments: other }, jobId), { id: jobId, status: 'cancelled' })
    await settle(() => processesOf(directory).length === 0)
    t.equal(pids().length, 1)
    t.notOk(existsSync(directory))
    services.clock.advance(31)
    await t.rejects(ask(1), { code: 'transcode_job_not_found' })
    await settle(() => server.counts.heads === 0)
    await t.rejects(cancelTranscode({ ...services, segments: other }, 'nope'), { code: 'transcode_job_not_found' })
  },
)
