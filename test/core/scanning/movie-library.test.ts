import { appendFileSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { putFile, putSample, scannedLibrary } from '../../support/scanning.ts'

const RoleRow = z.strictObject({
  file: z.string(),
  role: z.string(),
  label: z.string().nullable(),
  position: z.number().nullable(),
  ofFile: z.string().nullable(),
})

const SidecarRow = z.strictObject({
  file: z.string(),
  kind: z.string(),
  ofFile: z.string(),
  details: z.record(z.string(), z.unknown()),
})

async function movieLibrary(t: Test) {
  const library = await scannedLibrary(t)
  const { db } = library
  const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
  /** Unlisted files: file, role, label, order, and owner. */
  const roles = async () => {
    const rows = await db.any(sql.type(RoleRow)`
      select i.path as file, i.role, i.role_label as label, i.role_order as position, o.path as of_file
      from media_items i left join media_items o on o.id = i.primary_id where i.role is not null order by i.path`)
    return rows
      .map(({ file, role, label, position, ofFile }) => {
        return [base(file), role, label, position, ofFile === null ? null : base(ofFile)] as const
      })
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
  }
  const sidecars = async () => {
    const rows = await db.any(sql.type(SidecarRow)`
      select s.path as file, s.kind, i.path as of_file, s.details
      from item_sidecars s join media_items i on i.id = s.media_item_id order by s.path`)
    return rows.map(({ file, kind, ofFile, details }) => ({ name: base(file), kind, of: base(ofFile), details }))
  }
  return { ...library, roles, sidecars }
}

void t.test('a film with two versions and a trailer is one listed item; the others belong to it', async (t) => {
  const { folder, scan, items, roles } = await movieLibrary(t)
  await putSample(folder, 'Heat (1995)/Heat (1995) - 1080p.mp4')
  await putSample(folder, 'Heat (1995)/Heat (1995) - 720p.mp4')
  await putSample(folder, 'Heat (1995)/Heat (1995)-trailer.mp4')
  await putSample(folder, 'Heat (1995)/behind the scenes/Making Of.mp4')
  t.match(await scan(), { status: 'completed', itemsFound: 4, itemsAdded: 4, itemsFailed: 0 })
  t.strictSame([...(await items()).keys()], ['Heat (1995)/Heat (1995) - 1080p.mp4'])
  const expected = [
    ['Heat (1995) - 720p.mp4', 'version', '720p', 1, 'Heat (1995) - 1080p.mp4'],
    ['Heat (1995)-trailer.mp4', 'extra', 'Trailer', null, 'Heat (1995) - 1080p.mp4'],
    ['Making Of.mp4', 'extra', 'Making Of', null, 'Heat (1995) - 1080p.mp4'],
  ]
  t.strictSame(await roles(), expected)
  t.match(await scan('rescan'), { itemsAdded: 0, itemsRemoved: 0 })
  t.strictSame(await roles(), expected)
  rmSync(join(folder, 'Heat (1995)/Heat (1995) - 1080p.mp4'))
  await scan('rescan')
  t.strictSame([...(await items()).keys()], ['Heat (1995)/Heat (1995) - 720p.mp4'])
  t.strictSame(
    (await roles()).map(([file, , , , of]) => [file, of]),
    [
      ['Heat (1995)-trailer.mp4', 'Heat (1995) - 720p.mp4'],
      ['Making Of.mp4', 'Heat (1995) - 720p.mp4'],
    ],
    'what belonged to the one belongs to the other',
  )
})

void t.test('a film in two parts is one item, and the second part belongs to the first', async (t) => {
  const { folder, scan, items, roles } = await movieLibrary(t)
  await putSample(folder, 'Ran (1985)/Ran cd1.mp4')
  await putSample(folder, 'Ran (1985)/Ran cd2.mp4')
  await scan()
  t.match([...(await items()).values()], [{ name: 'Ran', year: 1985 }])
  t.strictSame(await roles(), [['Ran cd2.mp4', 'part', null, 2, 'Ran cd1.mp4']])
})

void t.test('a film on several discs is one item, in any order of its folders', async (t) => {
  const { folder, scan, items, roles } = await movieLibrary(t)
  await putSample(folder, 'Ran (1985)/Disc 02/ran.mp4')
  await putSample(folder, 'Ran (1985)/Disc 03/ran.mp4')
  await putSample(folder, 'Das Boot/CD1/dasboot cd1.mp4')
  await putSample(folder, 'Das Boot/CD2/dasboot cd2.mp4')
  await scan()
  await putSample(folder, 'Ran (1985)/Disc 01/ran.mp4')
  await putSample(folder, 'Hitchcock/Disc 1/Psycho (1960).mp4')
  await putSample(folder, 'Hitchcock/Disc 2/The Birds (1963).mp4')
  await putSample(folder, 'Dune/Part 1/Dune.mp4')
  await putSample(folder, 'Dune/Part 2/Dune.mp4')
  await scan()
  t.strictSame([...(await items())].map(([path, { name }]) => `${name}: ${path}`).toSorted(), [
    'Dune: Dune/Part 1/Dune.mp4',
    'Dune: Dune/Part 2/Dune.mp4',
    'Psycho: Hitchcock/Disc 1/Psycho (1960).mp4',
    'Ran: Ran (1985)/Disc 01/ran.mp4',
    'The Birds: Hitchcock/Disc 2/The Birds (1963).mp4',
    'dasboot: Das Boot/CD1/dasboot cd1.mp4',
  ])
  const parts = [
    ['dasboot cd2.mp4', 'part', null, 2, 'dasboot cd1.mp4'],
    ['ran.mp4', 'part', null, 2, 'ran.mp4'],
    ['ran.mp4', 'part', null, 3, 'ran.mp4'],
  ]
  t.strictSame(await roles(), parts)
  t.match(await scan('rescan'), { itemsAdded: 0, itemsRemoved: 0 })
  t.strictSame(await roles(), parts)
})

void t.test('a DVD or Blu-ray in folders is one film, and the pieces of a DVD are its parts', async (t) => {
  const { folder, scan, items, roles, services } = await movieLibrary(t)
  const dvd = 'Heat (1995) [tmdbid-949]/VIDEO_TS'
  for (const name of ['VIDEO_TS.VOB', 'VTS_01_1.VOB']) await putSample(folder, `${dvd}/${name}`, 'film-mpg')
  // Both files of the film are larger than the extra. The menu is larger still, but not a film.
  for (const [name, times] of [
    ['VTS_01_0.VOB', 4],
    ['VTS_02_1.VOB', 2],
    ['VTS_02_2.VOB', 2],
  ] as const) {
    const bytes = readFileSync(join(folder, dvd, 'VTS_01_1.VOB'))
    putFile(folder, `${dvd}/${name}`, Buffer.concat(Array.from({ length: times }, () => bytes)))
  }
  putFile(folder, `${dvd}/VIDEO_TS.IFO`, 'not read')
  putFile(folder, `${dvd}/VIDEO_TS.nfo`, '<movie><plot>Two men.</plot></movie>')
  putFile(folder, `${dvd}/poster.jpg`, 'picture')
  await putSample(folder, 'Moon (2009)/BDMV/STREAM/00000.m2ts', 'film-ts')
  await putSample(folder, 'Moon (2009)/BDMV/STREAM/12345.m2ts', 'film-ts')
  appendFileSync(join(folder, 'Moon (2009)/BDMV/STREAM/12345.m2ts'), Buffer.alloc(188))
  await putSample(folder, 'Old/Ripped (1999)/VTS_01_1.VOB', 'film-mpg')
  await putSample(folder, 'Long (1970)/Disc 1/VIDEO_TS/VTS_01_1.VOB', 'film-mpg')
  await putSample(folder, 'Long (1970)/Disc 2/VIDEO_TS/VTS_01_1.VOB', 'film-mpg')
  t.match(await scan(), { status: 'completed', itemsFound: 6, itemsAdded: 6, itemsFailed: 0 })
  const found = await items()
  t.match(found.get(`${dvd}/VTS_02_1.VOB`), {
    name: 'Heat',
    year: 1995,
    metadata: {
      disc: 'dvd',
      folder: 'Heat (1995) [tmdbid-949]',
      external_ids: { tmdb: '949' },
      overview: 'Two men.',
    },
  })
  t.match(found.get('Moon (2009)/BDMV/STREAM/12345.m2ts'), {
    name: 'Moon',
    year: 2009,
    metadata: { disc: 'bluray', folder: 'Moon (2009)' },
  })
  t.match(found.get('Old/Ripped (1999)/VTS_01_1.VOB'), { name: 'Ripped', year: 1999, metadata: { disc: 'dvd' } })
  t.match(found.get('Long (1970)/Disc 1/VIDEO_TS/VTS_01_1.VOB'), { name: 'Long', year: 1970 })
  t.equal(found.size, 4)
  for (const { name, durationSeconds } of found.values()) t.ok((durationSeconds ?? 0) > 0, `${name} was read`)
  t.strictSame(await roles(), [
    ['VTS_01_1.VOB', 'part', null, 2, 'VTS_01_1.VOB'],
    ['VTS_02_2.VOB', 'part', null, 2, 'VTS_02_1.VOB'],
  ])
  await scan('rescan')
  t.strictSame(services.probed, [], 'unchanged, nothing is opened')
})

void t.test('an extra is assigned to a film that is added later, and never to one of several', async (t) => {
  const { folder, scan, items, roles } = await movieLibrary(t)
  await putSample(folder, 'Alien (1979)/trailers/Teaser.mp4')
  await putSample(folder, 'Shelf/trailers/Something.mp4')
  await scan()
  t.equal((await items()).size, 0)
  t.strictSame(await roles(), [
    ['Something.mp4', 'extra', 'Something', null, null],
    ['Teaser.mp4', 'extra', 'Teaser', null, null],
  ])
  await putSample(folder, 'Alien (1979)/Alien (1979).mp4')
  await putSample(folder, 'Shelf/Gattaca (1997).mp4')
  await putSample(folder, 'Shelf/Moon (2009).mp4')
  await scan()
  t.equal((await items()).size, 3)
  t.strictSame(
    (await roles()).map(([file, , , , of]) => [file, of]),
    [
      ['Something.mp4', null],
      ['Teaser.mp4', 'Alien (1979).mp4'],
    ],
  )
  renameSync(join(folder, 'Alien (1979)'), join(folder, 'Alien (1979) again'))
  const before = (await items()).get('Alien (1979)/Alien (1979).mp4')?.id
  await scan('rescan')
  t.equal((await items()).get('Alien (1979) again/Alien (1979).mp4')?.id, before)
  t.match((await roles())[1], ['Teaser.mp4', 'extra', 'Teaser', null, 'Alien (1979).mp4'])
})

void t.test(
  'an NFO names and describes a film; it is read again after a change, and ignored when broken or removed',
  async (t) => {
    const { folder, scan, items, services } = await movieLibrary(t)
    const film = await putSample(folder, 'tst (1999)/tst.mp4')
    const nfo = (title: string): string => `<movie><title>${title}</title><year>2000</year><plot>A test.</plot>
    <tagline>Again.</tagline><genre>Drama</genre><genre>Comedy</genre><mpaa>PG-13</mpaa><premiered>2000-05-06</premiered>
    <director>Grace</director><actor><name>Ada</name><role>Herself</role></actor>
    <uniqueid type="imdb">tt0133093</uniqueid></movie>`
    putFile(folder, 'tst (1999)/movie.nfo', nfo('The Test'))
    await scan()
    const read = async () => (await items()).get('tst (1999)/tst.mp4')
    const first = await read()
    t.match(first, { name: 'The Test', sortTitle: 'Test', year: 2000 })
    t.match(first?.metadata, {
      overview: 'A test.',
      tagline: 'Again.',
      genres: ['Drama', 'Comedy'],
      rating: 'PG-13',
      air_date: '2000-05-06',
      director: 'Grace',
      actors: ['Ada'],
      cast: [{ name: 'Ada', role: 'Herself' }],
      external_ids: { imdb: 'tt0133093' },
    })
    await scan()
    t.strictSame(services.probed, [], 'unchanged, nothing is opened')
    putFile(folder, 'tst (1999)/movie.nfo', nfo('The Second Test'))
    await scan()
    t.strictSame(services.probed, [film])
    t.match(await read(), { id: first?.id, name: 'The Second Test' })
    putFile(folder, 'tst (1999)/tst.nfo', nfo('Its Own'))
    await scan()
    t.match(await read(), { name: 'Its Own' }, 'the one with the name of the film is trusted more')
    rmSync(join(folder, 'tst (1999)/tst.nfo'))
    putFile(folder, 'tst (1999)/movie.nfo', '\u0000<movie><title>')
    const job = await scan()
    t.match(job, { status: 'completed', itemsFailed: 0 })
    t.match(await read(), { name: 'tst', year: 1999 })
    t.notOk('overview' in ((await read())?.metadata ?? {}))
  },
)

void t.test('subtitles and pictures are stored with the file or film that they belong to', async (t) => {
  const { folder, scan, sidecars } = await movieLibrary(t)
  await putSample(folder, 'Heat (1995)/Heat (1995) - 1080p.mp4')
  await putSample(folder, 'Heat (1995)/Heat (1995) - 720p.mp4')
  await putSample(folder, 'Shelf/Moon (2009).mp4')
  await putSample(folder, 'Shelf/Gattaca (1997).mp4')
  for (const name of ['poster.jpg', 'cover.jpg', 'fanart.jpg', 'fanart2.jpg', 'Heat (1995)-logo.png', 'other.jpg']) {
    putFile(folder, `Heat (1995)/${name}`, 'picture')
  }
  putFile(folder, 'Heat (1995)/Heat (1995) - 720p.en.sdh.srt', 'text')
  putFile(folder, 'Heat (1995)/Heat (1995) - 1080p.pt-BR.forced.vtt', 'text')
  putFile(folder, 'Heat (1995)/unrelated.srt', 'text')
  putFile(folder, 'Shelf/Moon (2009)-poster.jpg', 'picture')
  putFile(folder, 'Shelf/folder.jpg', 'the shelf shows no film')
  await scan()
  t.match(await sidecars(), [
    {
      name: 'Heat (1995) - 1080p.pt-BR.forced.vtt',
      kind: 'subtitle',
      of: 'Heat (1995) - 1080p.mp4',
      details: { language: 'pt-BR', forced: true, hearing_impaired: false, format: 'vtt' },
    },
    {
      name: 'Heat (1995) - 720p.en.sdh.srt',
      kind: 'subtitle',
      of: 'Heat (1995) - 720p.mp4',
      details: { language: 'en', forced: false, hearing_impaired: true },
    },
    { name: 'Heat (1995)-logo.png', kind: 'logo', of: 'Heat (1995) - 1080p.mp4' },
    { name: 'fanart.jpg', kind: 'backdrop', of: 'Heat (1995) - 1080p.mp4' },
    { name: 'fanart2.jpg', kind: 'backdrop', of: 'Heat (1995) - 1080p.mp4' },
    { name: 'poster.jpg', kind: 'poster', of: 'Heat (1995) - 1080p.mp4' },
    { name: 'Moon (2009)-poster.jpg', kind: 'poster', of: 'Moon (2009).mp4' },
  ])
  rmSync(join(folder, 'Heat (1995)/Heat (1995) - 720p.en.sdh.srt'))
  await scan()
  t.equal((await sidecars()).length, 6)
})
