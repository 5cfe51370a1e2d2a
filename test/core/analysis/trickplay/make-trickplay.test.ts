import { copyFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
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

async function run() {
  const { id } = await queueScan(services, { libraryId: library.id, type: 'trickplay' })
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
  await rm(join(folder, 'Times (2001).mkv'))
})
