import t from 'tap'
import { findDuplicates, getItem, type ItemWrite } from '../../../../src/core/catalogue/index.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { testDatabase } from '../../../support/database.ts'
import { episodes } from '../../../support/film-catalogue.ts'

const video = (width: number): Partial<ItemWrite> => ({
  streams: [
    {
      index: 0,
      type: 'video',
      codec: 'h264',
      language: null,
      title: null,
      bitrate: null,
      width,
      height: width / 2,
      channels: null,
      isDefault: true,
      details: {},
    },
  ],
})

void t.test('films with equal keys are one group, the widest picture first', async (t) => {
  const { pool: db } = await testDatabase(t)
  const hash = Buffer.alloc(8, 7)
  const ids = await makeItems(db, t.testdir(), [
    { name: 'Heat', year: 1995, ...video(1280) },
    { name: 'HEAT', year: 1995, sizeBytes: 3000, metadata: { external_ids: { tmdb: 949 } }, ...video(1920) },
    {
      name: 'Mann im Feuer',
      year: 1996,
      sizeBytes: 2000,
      localMetadata: { external_ids: { tmdb: '949' } },
      ...video(1920),
    },
    { name: 'Heat', year: 1986 },
    { name: 'Summer', year: null },
    { name: 'Summer', year: null },
    { name: 'Beach', year: 2001, contentHash: hash, sizeBytes: 5 },
    { name: 'Holiday', year: null, contentHash: hash, sizeBytes: 5 },
    { name: 'Other length', year: 2002, contentHash: hash, sizeBytes: 6 },
    { type: 'video', name: 'Clip', year: 2003 },
    { type: 'video', name: 'Clip', year: 2003 },
    { type: 'video', name: 'Beach', year: 2001, contentHash: hash, sizeBytes: 5 },
  ])
  const { libraryId } = await getItem({ db }, ids[0] ?? '')
  const groups = await findDuplicates({ db }, libraryId)
  const shown = groups.map(({ best, others }) => [best, ...others].map(({ id }) => ids.indexOf(id)))
  t.strictSame(
    new Map(shown.map((members) => [members.length, members])),
    new Map([
      [3, [1, 2, 0]],
      [2, [6, 7]],
    ]),
  )
  t.equal(shown.length, 2)
  t.match(groups.find(({ best }) => best.id === ids[1])?.key, /^(?:tmdb:949|heat \(1995\))$/)
  t.strictSame(await findDuplicates({ db }, '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'), [])
})

void t.test('episodes of one number in one series are one group, whatever their names', async (t) => {
  const { pool: db } = await testDatabase(t)
  const [first = {}, second = {}] = episodes(['1:1', '1:2'])
  const ids = await makeItems(db, t.testdir(), [
    first,
    second,
    { ...first, name: 'Pilot', path: '/shows/Show/again.mkv' },
    { ...first, path: '/shows/Show/double.mkv', endingEpisodeNumber: 2 },
    {
      ...second,
      path: '/shows/Other/1:2.mkv',
      groups: [{ type: 'series', key: 'other', name: 'Other', sortTitle: 'Other', year: 2010, metadata: {} }],
    },
    { ...first, path: '/shows/Show/loose.mkv', seasonNumber: null, episodeNumber: null },
    { ...first, path: '/shows/Show/loose too.mkv', seasonNumber: null, episodeNumber: null },
  ])
  const { libraryId } = await getItem({ db }, ids[0] ?? '')
  const groups = await findDuplicates({ db }, libraryId)
  t.strictSame(
    groups.map(({ best, others }) => [best, ...others].map(({ id }) => ids.indexOf(id))),
    [[0, 2]],
  )
  t.match(groups, [{ key: 'series show (2010):1:1:1', best: { type: 'episode', seasonNumber: 1, episodeNumber: 1 } }])
})
