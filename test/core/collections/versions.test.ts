import t from 'tap'
import {
  addToCollection,
  changeCollection,
  createCollection,
  getCollectionWithItems,
} from '../../../src/core/collections/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { putSample, scannedLibrary } from '../../support/scanning.ts'

void t.test('a film that becomes a version of another one passes on its position in collections', async (t) => {
  const { db, folder, library, scan, items, services } = await scannedLibrary(t)
  const by = { id: await makeUser(db, 'curator'), isAdmin: true }
  for (const path of ['Heat (1995)/Heat (1995) - 720p.mp4', 'Ran (1985).mp4', 'Yol (1982).mp4'])
    await putSample(folder, path)
  await scan()
  const idOf = async (path: string) => (await items()).get(path)?.id ?? ''
  const [heat, ran, yol] = [
    await idOf('Heat (1995)/Heat (1995) - 720p.mp4'),
    await idOf('Ran (1985).mp4'),
    await idOf('Yol (1982).mp4'),
  ]
  const collect = async (name: string, itemIds: string[]) => {
    const { id } = await createCollection(services, { by, input: { name, libraryId: library.id } })
    await addToCollection(services, { id, by, itemIds })
    return id
  }
  const content = async (id: string) => [...(await getCollectionWithItems({ db }, { id })).itemIds]
  const one = await collect('Three', [ran, heat, yol])

  await putSample(folder, 'Heat (1995)/Heat (1995) - 1080p.mp4')
  t.match(await scan(), { status: 'completed' })
  const better = await idOf('Heat (1995)/Heat (1995) - 1080p.mp4')
  t.notOk(await idOf('Heat (1995)/Heat (1995) - 720p.mp4'), 'it is a version now, which lists leave out')
  t.strictSame(await content(one), [ran, better, yol])

  const both = await collect('Both', [better, ran])
  await putSample(folder, 'Heat (1995)/Heat (1995) - 2160p.mp4')
  await scan()
  const best = await idOf('Heat (1995)/Heat (1995) - 2160p.mp4')
  t.strictSame(
    [await content(one), await content(both)],
    [
      [ran, best, yol],
      [best, ran],
    ],
  )
  await changeCollection(services, { id: one, by, changes: { name: 'Still three' } })
  t.match(await scan('rescan'), { status: 'completed' })
  t.strictSame(await content(one), [ran, best, yol], 'and nothing moves any more')
})
