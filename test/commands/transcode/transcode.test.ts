import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createServices } from '../../../src/core/services.ts'
import { listTranscodedItemsWithoutTrickplay, startTranscode } from '../../../src/core/streaming/index.ts'
import { addFilm } from '../../core/streaming/film-item.ts'
import { testDatabase } from '../../support/database.ts'
import { sampleMedia } from '../../support/media.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { movableClock } from '../../support/records.ts'

const data = await temporaryDataDirectory(t)
const { environment } = await testDatabase(t)
const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
const config = loadConfig({ dataDirectory: data, environment })
const services = await createServices({ config, log: await createLogger(config, { level: 'critical' }) })
t.teardown(() => services.close())

void t.test('cache:stats, cache:sweep, transcode:list and transcode:cancel', async (t) => {
  t.match(await run('transcode:list'), { code: 0, stdout: 'No transcode jobs\n' })
  const { itemId } = await addFilm(t, { ...services, clock: movableClock() }, await sampleMedia('film-tiny-mp4'))
  const { job } = await startTranscode(services, { itemId })
  const directory = join(data, 'cache', 'transcodes', job.id)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'seg-v180p-00000.ts'), 'x'.repeat(1000))
  t.match(JSON.parse((await run('cache:stats', '--json')).stdout), { jobs: 1, segments: 1, bytes: 1000 })
  t.match(await run('cache:stats'), {
    code: 0,
    stdout:
      /^1 segment of 1 job, 0 MiB\n\d+ MiB free, 500 MiB are kept free\n[^\n]+\npictures of 0 time lines, 0 MiB of at most 20480 MiB\n0 files of converted films, 0 MiB of at most 51200 MiB\n/,
  })
  t.match(JSON.parse((await run('cache:sweep', '--json')).stdout), {
    segments: 0,
    bytes: 0,
    jobs: 0,
    abandoned_encoders: 0,
    trickplay: { sets: 0, bytes: 0 },
  })
  t.strictSame(await listTranscodedItemsWithoutTrickplay(services), [itemId], 'its transcode is complete')
  const listed = JSON.parse((await run('transcode:list', '--json')).stdout)
  t.match(listed, { jobs: [{ id: job.id, item_name: 'A film', status: 'completed', encoders: 0 }] })
  t.match(await run('transcode:list', '--plain'), { code: 0, stdout: new RegExp(`^${job.id}\tcompleted\tweb\t0\t`) })
  t.match(await run('transcode:cancel', job.id), { code: 0, stdout: `${job.id} is cancelled.\n` })
  const missing = await run('transcode:cancel', 'nope', '--json')
  t.match([missing.code, JSON.parse(missing.stdout)], [66, { error: { code: 'transcode_job_not_found' } }])
  t.match(JSON.parse((await run('cache:stats', '--json')).stdout), { jobs: 0, segments: 0 })
})
