import { sql } from 'slonik'
import t from 'tap'
import {
  addToCollection,
  changeCollection,
  deleteCollection,
  listLibraryCollections,
  matchItemAndSyncBoxSet,
  getCollectionWithItems,
  removeFromCollection,
} from '../../../src/core/collections/index.ts'
import { updateLibrary } from '../../../src/core/libraries/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { startFakeTmdb, type FakeTitle } from '../../support/fake-tmdb.ts'
import { addFilm, emptyLibrary, runJob, tmdbFlags } from '../../support/metadata.ts'
import { testServices } from '../../support/services.ts'

const film = (id: number, title: string, year: number, set?: number): FakeTitle => ({
  id,
  kind: 'movie',
  title,
  date: `${year}-05-01`,
  ...(set === undefined ? {} : { collection: { id: set, name: `Set ${set}` } }),
})

void t.test('films of one box set are grouped after providers were queried', async (t) => {
  const titles = [
    film(1, 'Later Heist', 2005, 86),
    film(2, 'First Heist', 2001, 86),
    film(3, 'Lonely Part', 2003, 87),
    film(4, 'No Set', 2004),
    film(5, 'Third Heist', 2009, 86),
  ]
  const services = await testServices(t, { flags: tmdbFlags(await startFakeTmdb(t, titles)) })
  const { db } = services
  const admin = { id: await makeUser(db, 'curator'), isAdmin: true }
  const library = await emptyLibrary(t, db, { name: 'Films', options: { autoCollections: false } })
  const add = ({ title, date = '' }: FakeTitle) => addFilm(db, library, { name: title, year: Number(date.slice(0, 4)) })
  const ids: string[] = []
  for (const title of titles.slice(0, 4)) ids.push(await add(title))
  const [later = '', first = '', single = '', none = ''] = ids
  const listed = () => listLibraryCollections(services, library.id)
  const content = async (id: string) => [...(await getCollectionWithItems(services, { id })).itemIds]
  const gather = async () => t.match(await runJob(services, library.id, 'metadata'), { status: 'completed' })
  /** Changes the provider data of a film. */
  const count = (id: string, set: object | null) =>
    db.query(sql.unsafe`
      update media_items set metadata = metadata || jsonb_build_object('collection', ${JSON.stringify(set)}::jsonb) where id = ${id}`)

  await gather()
  t.strictSame(await listed(), [], 'not if the option of the library is off')

  await updateLibrary(services, { libraryId: library.id, autoCollections: true })
  await gather()
  const [heists] = await listed()
  const id = heists?.id ?? ''
  t.match(
    await listed(),
    [{ name: 'Set 86', ownerId: null, boxSetId: '86', smartPlaylistId: null }],
    'one film makes no set',
  )
  t.strictSame(await content(id), [first, later], 'by year')

  await gather()
  t.strictSame(await listed(), [heists], 'nothing new writes nothing')

  await changeCollection(services, { id, by: admin, changes: { name: 'Heists', itemIds: [later, first] } })
  await addToCollection(services, { id, by: admin, itemIds: [none] })
  const third = await add(titles[4] ?? film(0, '', 0))
  await gather()
  t.match(await listed(), [{ name: 'Heists' }], 'the curator’s name stays')
  t.strictSame(
    await content(id),
    [later, first, none, third],
    'the order and the additions of the curator stay, and a new film is last',
  )

  await removeFromCollection(services, { id, by: admin, itemId: first })
  await gather()
  t.strictSame(await content(id), [later, none, third], 'a removed film is not added again')

  await count(third, { id: '87', name: 'Set 87' })
  await gather()
  t.strictSame(await content(id), [later, none], 'a film of another set moves there')
  const other = (await listed()).find(({ boxSetId }) => boxSetId === '87')
  t.strictSame(await content(other?.id ?? ''), [single, third])

  await runJob(services, library.id, 'clear_metadata')
  t.strictSame(await content(id), [later, none], 'cleared metadata have no set information')
  await gather()
  t.strictSame(
    (await listed()).map(({ name }) => name),
    ['Heists'],
    'an unchanged set of one film is deleted',
  )
  t.ok((await content(id)).includes(third), 'and the film is where the provider has it again')

  await deleteCollection(services, { id, by: admin })
  await gather()
  t.strictSame(await listed(), [], 'a deleted one is not created again')

  titles.push(film(90, 'Matched by Hand', 2011, 90), film(91, 'Matched Later', 2012, 90))
  const [hand, by] = [await add(film(0, 'some name', 1990)), await add(film(0, 'some other name', 1991))]
  const setOf90 = async () => (await listed()).find(({ boxSetId }) => boxSetId === '90')
  await matchItemAndSyncBoxSet(services, { itemId: hand, tmdbId: 90 })
  t.equal(await setOf90(), undefined)
  t.match(await matchItemAndSyncBoxSet(services, { itemId: by, tmdbId: 91 }), { itemId: by, tmdbId: 91 })
  t.strictSame(
    await content((await setOf90())?.id ?? ''),
    [hand, by],
    'a manually matched film joins its set immediately',
  )
})
