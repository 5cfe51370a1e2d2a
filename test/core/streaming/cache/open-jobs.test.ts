import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { OpenJobs } from '../../../../src/core/streaming/cache/open-jobs.ts'
import { jobDirectory } from '../../../../src/core/streaming/job/job-directory.ts'
import { writeStreamPlan } from '../../../../src/core/streaming/job/stream-plan.ts'
import { countedDatabase } from '../../../support/counted-work.ts'
import { addFilm, streamingServices } from '../film-item.ts'
import { handMadeJob } from '../hand-made-job.ts'
import { makeFilm } from '../test-films.ts'

/** Jobs of one film. `wasRead` opens a job and returns whether its row was read from the database. */
async function setUp(t: Test, count: number) {
  const { services, asked } = countedDatabase(await streamingServices(t))
  const { itemId, path } = await addFilm(t, services, await makeFilm('film'))
  const plan = await handMadeJob(path)
  const ids = Array.from({ length: count }, () => randomUUID())
  for (const id of ids) {
    const directory = jobDirectory(services.config, id)
    mkdirSync(directory, { recursive: true })
    await writeStreamPlan(directory, plan)
  }
  await services.db.query(sql.unsafe`
    insert into transcode_jobs (id, media_item_id, profile, status, created_at, last_used_at)
    select id, ${itemId}, 'web', 'cancelled', now(), now() from unnest(${sql.array(ids, 'uuid')}) id`)
  const jobs = new OpenJobs(services)
  const wasRead = async (id: string): Promise<boolean> => {
    asked.length = 0
    await jobs.get(id)
    return asked.length > 0
  }
  return { ids, jobs, wasRead, clock: services.clock }
}

void t.test('a job is read again after its lifetime, and after it was evicted', async (t) => {
  const { ids, jobs, wasRead, clock } = await setUp(t, 1)
  const [id = ''] = ids
  t.equal(await wasRead(id), true)
  t.equal(await wasRead(id), false)
  clock.advance(29)
  t.equal(await wasRead(id), false)
  clock.advance(2)
  t.equal(await wasRead(id), true, 'use does not prolong the lifetime')
  jobs.evict(id)
  t.equal(await wasRead(id), true)
})

void t.test('above the maximum number of jobs the least recently used one is evicted', async (t) => {
  const { ids, wasRead } = await setUp(t, 257)
  const [first = '', second = '', ...others] = ids
  for (const id of [first, second]) await wasRead(id)
  for (const id of others.slice(1)) t.equal(await wasRead(id), true)
  t.equal(await wasRead(first), false, '256 jobs fit')
  t.equal(await wasRead(others[0] ?? ''), true)
  t.equal(await wasRead(first), false, 'it was used after the second one')
  t.equal(await wasRead(second), true)
})
