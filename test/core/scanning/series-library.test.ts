import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { type MediaItem } from '../../../src/core/catalogue/index.ts'
import { listContinueWatching, recordProgress, startPlaybackSession } from '../../../src/core/playback/index.ts'
import { readUserData, setFavourite } from '../../../src/core/user-items/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { putFile, putSample, scannedLibrary } from '../../support/scanning.ts'
import { listWholeItems } from '../../support/whole-items.ts'

const TVSHOW = `<tvshow><title>Nightfall: The Series</title><year>2002</year><plot>What happens at night.</plot>
<genre>Drama</genre><mpaa>TV-14</mpaa><uniqueid type="tvdb" default="true">4711</uniqueid>
<actor><name>Ada</name><role>Night</role></actor></tvshow>`

const Sidecar = z.strictObject({ kind: z.string(), file: z.string(), ofName: z.string(), ofType: z.string() })

async function seriesLibrary(t: Test) {
  const library = await scannedLibrary(t, { type: 'series' })
  const { db, folder } = library
  const children = async (parentId?: string): Promise<MediaItem[]> => {
    const filter = parentId === undefined ? { topLevel: true } : { parentId }
    return (await listWholeItems({ db }, { libraryId: library.library.id, limit: 100, ...filter })).items
  }
  const only = async (name: string): Promise<MediaItem> => {
    const found = (await children()).filter((item) => item.name === name)
    t.equal(found.length, 1, `one item is called ${name}`)
    return found[0] as MediaItem
  }
  const sidecars = async (): Promise<string[]> => {
    const rows = await db.any(sql.type(Sidecar)`
      select s.kind, s.path as file, i.name as of_name, i.type as of_type
      from item_sidecars s join media_items i on i.id = s.media_item_id order by s.path`)
    return rows.map(
      ({ kind, file, ofName, ofType }) => `${file.slice(folder.length + 1)}: ${kind} of ${ofType} ${ofName}`,
    )
  }
  return { ...library, children, only, sidecars }
}

const NIGHTFALL = [
  'Nightfall (2001)/Season 1/Nightfall - S01E01 - Pilot.mp4',
  'Nightfall (2001)/Season 1/Nightfall - S01E02-E03 - Two Nights.mp4',
  'Nightfall (2001)/Season 2/Nightfall - S02E01.mp4',
  'Nightfall (2001)/Specials/Nightfall - S00E01 - Christmas.mp4',
]

void t.test('a series library is a tree of series, seasons and episodes, in the order of their numbers', async (t) => {
  const { folder, scan, children, only } = await seriesLibrary(t)
  for (const path of NIGHTFALL) await putSample(folder, path)
  await putSample(folder, 'Nightfall (2001)/Season 10/Nightfall - S10E01 - Late.mp4')
  await putSample(folder, 'Daily Talk (2010)/2018/Daily Talk - 2018-11-14 - A Guest.mp4')
  await putSample(folder, 'Ninja/[Group] Ninja - 136 [720p].mp4')
  t.match(await scan(), { status: 'completed', itemsFound: 7, itemsAdded: 7, itemsFailed: 0 })
  t.strictSame(
    (await children()).map(({ type, name, year, path }) => [type, name, year, path]),
    [
      ['series', 'Daily Talk', 2010, null],
      ['series', 'Nightfall', 2001, null],
      ['series', 'Ninja', null, null],
    ],
  )
  const seasons = await children((await only('Nightfall')).id)
  t.strictSame(
    seasons.map(({ type, name, seasonNumber }) => [type, name, seasonNumber]),
    [
      ['season', 'Season 1', 1],
      ['season', 'Season 2', 2],
      ['season', 'Season 10', 10],
      ['season', 'Specials', 0],
    ],
  )
  const episodesOf = async (season: MediaItem | undefined) =>
    (await children(season?.id)).map((item) => [item.seasonNumber, item.episodeNumber, item.name, item.episodeTitle])
  t.strictSame(await episodesOf(seasons[0]), [
    [1, 1, 'Pilot', 'Pilot'],
    [1, 2, 'Two Nights', 'Two Nights'],
  ])
  t.strictSame(await episodesOf(seasons[1]), [[2, 1, 'Episode 1', null]])
  t.strictSame(await episodesOf(seasons[3]), [[0, 1, 'Christmas', 'Christmas']])
  const [year] = await children((await only('Daily Talk')).id)
  t.match(year, { name: 'Season 2018' })
  t.match(await children(year?.id), [{ name: 'A Guest', episodeNumber: null, metadata: { air_date: '2018-11-14' } }])
  const [first] = await children((await only('Ninja')).id)
  t.match(await children(first?.id), [{ episodeNumber: 136, metadata: { absolute_number: 136 } }])
})

void t.test(
  'a renamed and moved series keeps the ids of series, seasons and episodes, with all user data',
  async (t) => {
    const { db, services, folder, scan, children, only } = await seriesLibrary(t)
    for (const path of NIGHTFALL) await putSample(folder, path)
    await scan()
    const series = await only('Nightfall')
    const before = await Promise.all(
      (await children(series.id)).map(async (season) => [season, await children(season.id)]),
    )
    const userId = await makeUser(db, 'viewer')
    const [season, episodes] = before[1] as [MediaItem, MediaItem[]]
    for (const itemId of [series.id, season.id]) {
      await setFavourite(services, { profileId: userId, itemId, isFavourite: true })
    }
    const session = await startPlaybackSession(services, {
      profileId: userId,
      deviceId: null,
      deviceName: null,
      deviceType: null,
    })
    await recordProgress(services, {
      profileId: userId,
      sessionId: session.id,
      mediaItemId: episodes[0]?.id ?? '',
      positionTicks: 10_000_000,
      durationTicks: 20_000_000,
      isPaused: true,
    })
    mkdirSync(join(folder, 'Shelf'))
    renameSync(join(folder, 'Nightfall (2001)'), join(folder, 'Shelf', 'Nightfall Again (2003)'))
    await putSample(folder, 'Shelf/Nightfall Again (2003)/Season 3/Nightfall - S03E01 - New.mp4')
    await scan()
    t.equal((await children()).length, 2, 'until the rescan both are listed')
    t.match(await scan('rescan'), { status: 'completed', itemsRemoved: 0 })
    t.match(await children(), [{ id: series.id, name: 'Nightfall Again', year: 2003 }])
    const after = await children(series.id)
    t.strictSame(
      after.map(({ id, name }) => [id, name]).filter(([, name]) => name !== 'Season 3'),
      before.map(([old]) => [(old as MediaItem).id, (old as MediaItem).name]),
    )
    t.equal(after.length, 4)
    for (const [old, members] of before) {
      t.strictSame(
        (await children((old as MediaItem).id)).map(({ id }) => id),
        (members as MediaItem[]).map(({ id }) => id),
      )
    }
    for (const itemId of [series.id, season.id]) {
      t.match(await readUserData({ db }, { profileId: userId, itemId }), { isFavourite: true })
    }
    t.match(await listContinueWatching(services, { profileId: userId }), [
      { item: { id: episodes[0]?.id }, state: { positionTicks: 10_000_000 } },
    ])
    t.match(await scan('rescan'), { itemsAdded: 0, itemsRemoved: 0 })
    t.equal((await only('Nightfall Again')).id, series.id, 'and it stays so')
  },
)

void t.test('an episode that moves between seasons keeps its id; an emptied season is removed', async (t) => {
  const { folder, scan, children, only } = await seriesLibrary(t)
  await putSample(folder, 'Show/Season 1/Show - 01 - One.mp4')
  const moved = await putSample(folder, 'Show/Season 2/Show - 02 - Two.mp4', 'film-silent-mp4')
  await scan()
  const series = await only('Show')
  const [first, second] = await children(series.id)
  const [episode] = await children(second?.id)
  renameSync(moved, join(folder, 'Show/Season 1/Show - 02 - Two.mp4'))
  t.match(await scan('rescan'), { itemsAdded: 0, itemsRemoved: 0 })
  t.match(await children(series.id), [{ id: first?.id, seasonNumber: 1 }])
  t.match(await children(first?.id), [{ episodeNumber: 1 }, { id: episode?.id, seasonNumber: 1, episodeNumber: 2 }])
  rmSync(join(folder, 'Show'), { recursive: true })
  await putSample(folder, 'Third/Third S01E01.mp4')
  t.match(await scan('rescan'), { itemsRemoved: 2 })
  t.match(await children(), [{ name: 'Third' }])
})

void t.test(
  'season.nfo names and describes its season; it is read again after a change, and the folder name is used after its removal',
  async (t) => {
    const { folder, scan, children, only, services } = await seriesLibrary(t)
    for (const path of NIGHTFALL) await putSample(folder, path)
    await putSample(folder, 'Nightfall (2001)/Season 3/Nightfall - S03E01 - The Long Night, Part 2.mp4')
    const nfo = (title: string) =>
      `<season><title>${title}</title><plot>It gets dark.</plot><seasonnumber>1</seasonnumber><year>2001</year></season>`
    const place = 'Nightfall (2001)/Season 1/season.nfo'
    putFile(folder, place, nfo('Dusk'))
    // Metadata of the wrong kind is ignored.
    putFile(folder, 'Nightfall (2001)/Season 2/season.nfo', TVSHOW)
    await scan()
    const series = await only('Nightfall')
    const seasons = async () => children(series.id)
    const [first, second, third] = await seasons()
    t.match(first, { name: 'Dusk', seasonNumber: 1, year: 2001, metadata: { overview: 'It gets dark.' } })
    t.match(second, { name: 'Season 2' })
    t.match(await children(third?.id), [{ name: 'The Long Night, Part 2' }])
    services.probed.length = 0
    putFile(folder, place, nfo('Nightfall Begins'))
    await scan()
    t.strictSame(services.probed, [join(folder, place)], 'the episodes are not opened')
    t.match((await seasons())[0], { id: first?.id, name: 'Nightfall Begins' })
    rmSync(join(folder, place))
    await scan()
    t.match((await seasons())[0], { id: first?.id, name: 'Season 1' })
    t.notOk('overview' in ((await seasons())[0]?.metadata ?? {}))
  },
)

void t.test(
  'a DVD in the folder of a season is one episode without a number, in the folder of an episode it is that episode',
  async (t) => {
    const { folder, scan, children, only } = await seriesLibrary(t)
    for (const name of ['VIDEO_TS.VOB', 'VTS_01_0.VOB', 'VTS_01_1.VOB', 'VTS_01_2.VOB']) {
      await putSample(folder, `Nightfall/Season 1/Disc 1/VIDEO_TS/${name}`, 'film-mpg')
      await putSample(folder, `Nightfall/Season 1/Nightfall S01E05/VIDEO_TS/${name}`, 'film-mpg')
    }
    t.match(await scan(), { status: 'completed', itemsFound: 2, itemsFailed: 0 })
    const [season] = await children((await only('Nightfall')).id)
    t.match(season, { seasonNumber: 1 })
    t.strictSame(
      (await children(season?.id)).map(({ name, episodeNumber }) => `${name}: ${episodeNumber}`).toSorted(),
      ['Disc 1: null', 'Episode 5: 5'],
    )
  },
)

void t.test('tvshow.nfo names and describes the series; without it the folder name is used', async (t) => {
  const { folder, scan, children, only, services } = await seriesLibrary(t)
  for (const path of NIGHTFALL) await putSample(folder, path)
  putFile(folder, 'Nightfall (2001)/tvshow.nfo', TVSHOW)
  t.match(await scan(), { status: 'completed', error: null })
  const series = await only('Nightfall: The Series')
  t.match(series, { year: 2002, metadata: { overview: 'What happens at night.', genres: ['Drama'], rating: 'TV-14' } })
  t.match(series.metadata, { actors: ['Ada'], external_ids: { tvdb: '4711' } })
  t.match(await scan(), { itemsAdded: 0 })
  t.strictSame(services.probed, [], 'nothing has changed')
  putFile(folder, 'Nightfall (2001)/tvshow.nfo', TVSHOW.replace('at night', 'by day'))
  await scan()
  t.match(await children(), [{ id: series.id, metadata: { overview: 'What happens by day.' } }])
  putFile(folder, 'Nightfall (2001)/tvshow.nfo', '<tvshow><title>')
  await scan()
  t.match(await children(), [{ id: series.id, name: 'Nightfall: The Series' }], 'a broken one takes nothing away')
  rmSync(join(folder, 'Nightfall (2001)/tvshow.nfo'))
  await scan()
  const plain = await only('Nightfall')
  t.match(plain, { id: series.id, year: 2001 })
  t.notOk('overview' in plain.metadata)
})

void t.test(
  'facts about a series without episodes are applied when its first episode is added, and again after its return',
  async (t) => {
    const { folder, scan, children, sidecars } = await seriesLibrary(t)
    putFile(folder, 'Nightfall (2001)/tvshow.nfo', TVSHOW)
    putFile(folder, 'Nightfall (2001)/poster.jpg', 'picture')
    putFile(folder, 'Nightfall (2001)/season02-poster.jpg', 'picture')
    await scan()
    t.strictSame(await children(), [], 'a folder without episodes is no series')
    const first = await putSample(folder, NIGHTFALL[0] ?? '')
    await scan()
    t.match(await children(), [{ name: 'Nightfall: The Series' }])
    t.strictSame((await sidecars()).length, 2)
    await putSample(folder, NIGHTFALL[2] ?? '')
    await scan()
    t.ok((await sidecars()).includes('Nightfall (2001)/season02-poster.jpg: poster of season Season 2'))
    rmSync(first)
    rmSync(join(folder, NIGHTFALL[2] ?? ''))
    await scan('rescan')
    t.strictSame(await children(), [])
    await putSample(folder, NIGHTFALL[0] ?? '')
    await scan()
    t.match(await children(), [{ name: 'Nightfall: The Series', metadata: { genres: ['Drama'] } }])
  },
)

void t.test('an episode NFO gives title, date and people, and all titles of a double episode', async (t) => {
  const { folder, scan, children, only } = await seriesLibrary(t)
  for (const path of NIGHTFALL) await putSample(folder, path)
  const details = (number: number, title: string): string =>
    `<episodedetails><title>${title}</title><season>1</season><episode>${number}</episode><aired>2001-02-0${number}</aired>` +
    `<plot>${title}.</plot><director>Grace</director></episodedetails>`
  putFile(folder, 'Nightfall (2001)/Season 1/Nightfall - S01E01 - Pilot.nfo', details(1, 'The Pilot'))
  const both = details(2, 'Dusk') + details(3, 'Dawn')
  putFile(folder, 'Nightfall (2001)/Season 1/Nightfall - S01E02-E03 - Two Nights.nfo', both)
  await scan()
  const [season] = await children((await only('Nightfall')).id)
  t.match(await children(season?.id), [
    { name: 'The Pilot', episodeTitle: 'The Pilot', metadata: { air_date: '2001-02-01', director: 'Grace' } },
    { name: 'Dusk / Dawn', episodeNumber: 2, metadata: { overview: 'Dusk.\n\nDawn.' } },
  ])
})

void t.test('pictures and subtitles are stored with the series, season or episode that they belong to', async (t) => {
  const { folder, scan, sidecars } = await seriesLibrary(t)
  for (const path of NIGHTFALL) await putSample(folder, path)
  const at = (path: string): string => putFile(folder, `Nightfall (2001)/${path}`, 'content')
  for (const path of ['poster.jpg', 'folder.jpg', 'fanart.jpg', 'season01-poster.jpg', 'season-specials-poster.jpg'])
    at(path)
  at('Season 2/poster.png')
  at('Season 1/Nightfall - S01E01 - Pilot-thumb.jpg')
  at('Season 1/Nightfall - S01E01 - Pilot.de.forced.srt')
  at('Season 1/notes.srt')
  await scan()
  const expected = [
    'Season 1/Nightfall - S01E01 - Pilot-thumb.jpg: thumb of episode Pilot',
    'Season 1/Nightfall - S01E01 - Pilot.de.forced.srt: subtitle of episode Pilot',
    'Season 2/poster.png: poster of season Season 2',
    'fanart.jpg: backdrop of series Nightfall',
    'poster.jpg: poster of series Nightfall',
    'season-specials-poster.jpg: poster of season Specials',
    'season01-poster.jpg: poster of season Season 1',
  ].map((line) => `Nightfall (2001)/${line}`)
  t.strictSame((await sidecars()).toSorted(), expected.toSorted())
  await scan('rescan')
  t.strictSame((await sidecars()).toSorted(), expected.toSorted())
  renameSync(join(folder, 'Nightfall (2001)'), join(folder, 'Nightfall (2005)'))
  await scan('rescan')
  t.strictSame((await sidecars()).toSorted(), expected.map((line) => line.replace('2001', '2005')).toSorted())
})

void t.test('extras belong to the episode, season or series beside them, and are not listed', async (t) => {
  const { db, folder, scan, children, items } = await seriesLibrary(t)
  for (const path of NIGHTFALL) await putSample(folder, path)
  await putSample(folder, 'Nightfall (2001)/trailers/Teaser One.mp4')
  await putSample(folder, 'Nightfall (2001)/Season 1/featurettes/Set.mp4')
  await putSample(folder, 'Nightfall (2001)/Season 1/Nightfall - S01E01 - Pilot-deleted-scene.mp4')
  await putSample(folder, 'Nightfall (2001)/Season 1/Nightfall - S01E04 - Interview.mp4')
  await scan()
  t.equal((await children()).length, 1)
  t.notOk([...(await items()).keys()].some((path) => /Teaser|Set|deleted/.test(path)))
  const extras = await db.any(sql.type(z.record(z.string(), z.unknown()))`
    select e.name, e.type, e.metadata ->> 'extra_type' as extra, o.type as of_type, o.name as of_name
    from media_items e join media_items o on o.id = e.primary_id where e.role = 'extra' order by e.name`)
  t.strictSame(
    extras.map((row) => Object.fromEntries(Object.entries(row))),
    [
      { name: 'Deleted Scene', type: 'video', extra: 'deleted_scene', ofType: 'episode', ofName: 'Pilot' },
      { name: 'Set', type: 'video', extra: 'featurette', ofType: 'season', ofName: 'Season 1' },
      { name: 'Teaser One', type: 'video', extra: 'trailer', ofType: 'series', ofName: 'Nightfall' },
    ],
  )
  writeFileSync(join(folder, 'Nightfall (2001)/.nomedia'), '')
  await scan()
  t.equal((await children()).length, 1, 'an ignored folder hides nothing that is known')
})

void t.test('when the first version of an episode is removed, the other one replaces it in its season', async (t) => {
  const { folder, scan, children, only } = await seriesLibrary(t)
  const best = await putSample(folder, 'Show/Season 1/Show S01E01 1080p.mp4')
  await putSample(folder, 'Show/Season 1/Show S01E01 720p.mp4', 'film-silent-mp4')
  await scan()
  const [season] = await children((await only('Show')).id)
  t.match(await children(season?.id), [{ path: best }])
  rmSync(best)
  await scan('rescan')
  const left = await children(season?.id)
  t.equal(left.length, 1)
  t.match(left, [{ path: /720p/, seasonNumber: 1, episodeNumber: 1 }])
})
