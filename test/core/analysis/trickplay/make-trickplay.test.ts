import { copyFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createTrickplayStore } from '../../../../src/core/analysis/index.ts'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { scanFilms } from '../../../support/app.ts'
import { scanAgain } from '../../../support/scan-library.ts'
import { testServices } from '../../../support/services.ts'
import { listWholeItems } from '../../../support/whole-items.ts'
import { timeFilm } from '../time-films.ts'

const services = await testServices(t)
const { library, folder, idOf } = await scanFilms(t, services, {
  'A film (1999).mp4': 'film-tiny-mp4',
  'Noise (2000).mkv': 'film-refused-mkv',
})
await copyFile(await timeFilm('constant'), join(folder, 'Times (2001).mkv'))
await scanAgain(services, library.id)
const { items } = await listWholeItems(services, { libraryId: library.id, limit: 10, offset: 0 })
const times = items.find(({ name }) => name === 'Times')?.id ?? ''

async function run(force = false) {
  const { id } = await queueScan(services, { libraryId: library.id, type: 'trickplay', force })
  return runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
}

void t.test('a job makes the pictures of each film once, and again for a changed file', async (t) => {
  await run()
  const ids = [idOf('A film'), times, idOf('Noise')]
  const counts = async () => {
    const sets = await services.trickplay.find(ids)
    return ids.map((id) => sets.get(id)?.pictures.length)
  }
  t.strictSame(await counts(), [1, 7, undefined])
  const before = (await services.trickplay.find([times])).get(times)
  await run()
  t.strictSame((await services.trickplay.find([times])).get(times), before, 'it is not made again')
  await truncate(join(folder, 'Times (2001).mkv'), 0)
  await copyFile(await timeFilm('variable'), join(folder, 'Times (2001).mkv'))
  await scanAgain(services, library.id)
  t.strictSame(await counts(), [1, undefined, undefined], 'a changed file has none')
  await run()
  t.not((await services.trickplay.find([times])).get(times)?.version, before?.version)
})

void t.test(
  'pictures that were deleted are made again after a sweep; those removed to save space only on request',
  async (t) => {
    const root = join(services.config.dataDirectory, 'cache', 'trickplay')
    await rm(root, { recursive: true })
    await run()
    t.equal((await services.trickplay.find([times])).size, 0, 'not before the sweep')
    await services.trickplay.sweep()
    await run()
    const set = (await services.trickplay.find([times])).get(times)
    await writeFile(join(set?.folder ?? '', 'thumb-9.jpg'), Buffer.alloc(2_000_000))
    const config = loadConfig({
      dataDirectory: services.config.dataDirectory,
      environment: {},
      flags: { 'trickplay.cache_bytes': '1048576' },
    })
    const limited = createTrickplayStore({ ...services, config })
    await utimes(join(set?.folder ?? '', 'index.xml'), 1, 1)
    t.match(await limited.sweep(), { sets: 1 })
    await services.trickplay.sweep()
    await run()
    t.equal((await services.trickplay.find([times])).size, 0)
    t.equal((await services.trickplay.find([idOf('A film')])).size, 1, 'the others are kept')
    await run(true)
    t.equal((await services.trickplay.find([times])).size, 1)
  },
)
