import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { streamingErrors } from '../../../../src/core/streaming/errors.ts'
import { checkStartConditions } from '../../../../src/core/streaming/encoder/start-conditions.ts'
import { handMadeJob } from '../hand-made-job.ts'
import { renditionOf } from '../engine.ts'
import { makeFilm } from '../test-films.ts'

void t.test('an encoder starts only for an existing job, a source in its library, and with free space', async (t) => {
  const plan = await handMadeJob(await makeFilm('film'))
  const directory = t.testdir({ library: {} })
  const root = join(directory, 'library')
  const source = join(root, 'film.mp4')
  const places: unknown[] = []
  const cache = {
    ensureFreeSpace: async (place: unknown): Promise<void> => {
      places.push(place)
      if (places.length > 1) throw streamingErrors.disk_space_low()
    },
  }
  const rendition = renditionOf(plan, '90p')
  const job = { directory, plan: { ...plan, source: { ...plan.source, root, path: source } }, hasLadder: true }
  const wanted = { job, jobId: 'job', rendition, index: 1, path: join(directory, 'x.ts') }
  const check = (at = directory): Promise<void> =>
    checkStartConditions(cache, { ...wanted, job: { ...job, directory: at } })

  await t.rejects(check(join(directory, 'removed')), { code: 'transcode_job_not_found' })
  await t.rejects(check(), { code: 'file_not_found' })
  symlinkSync('/etc/passwd', join(root, 'link.mp4'))
  job.plan.source = { ...job.plan.source, path: join(root, 'link.mp4') }
  await t.rejects(check(), { code: 'path_outside_root' })
  t.strictSame(places, [], 'no segment is evicted for an encoder that cannot start')
  writeFileSync(source, '')
  job.plan.source = { ...job.plan.source, path: source }
  await check()
  t.strictSame(places, [{ jobId: 'job', rendition: '90p', index: 1 }])
  await t.rejects(check(), { code: 'disk_space_low' })
})
