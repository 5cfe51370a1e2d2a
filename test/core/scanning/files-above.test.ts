import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { putAudio } from '../../support/tagged-audio.ts'
import { putFile, putSample, scannedLibrary } from '../../support/scanning.ts'

const PictureRow = z.strictObject({ picture: z.string(), kind: z.string(), film: z.string() })

/** A film library with nested folders: the local metadata and the pictures of its items. */
async function filmsInFolders(t: Test) {
  const library = await scannedLibrary(t)
  const { db, folder } = library
  const inside = (path: string): string => path.slice(folder.length + 1)
  const pictures = async (): Promise<string[]> => {
    const rows = await db.any(sql.type(PictureRow)`
      select s.path as picture, s.kind, i.path as film
      from item_sidecars s join media_items i on i.id = s.media_item_id order by i.path collate "C", s.path collate "C"`)
    return rows.map(({ picture, kind, film }) => `${kind} ${inside(picture)} of ${inside(film)}`)
  }
  const said = async (path: string) => {
    const item = (await library.items()).get(path)
    return { name: item?.name, overview: item?.metadata['overview'] }
  }
  return { ...library, pictures, said }
}

const nfo = (title: string, plot = 'Two men.'): string => `<movie><title>${title}</title><plot>${plot}</plot></movie>`

const DVD = 'Heat (1995)/VIDEO_TS/VTS_01_1.VOB'
const BLURAY = 'Moon (2009)/BDMV/STREAM/00001.m2ts'
const PART = 'Ran (1985)/CD1/ran.mp4'
const LAST_PART = 'Ran (1985)/CD2/ran.mp4'

void t.test('NFO and pictures above VIDEO_TS, BDMV/STREAM and CD1 belong to the film inside', async (t) => {
  const { folder, scan, pictures, said, services } = await filmsInFolders(t)
  await putSample(folder, DVD, 'film-mpg')
  await putSample(folder, 'Heat (1995)/Heat (1995)-trailer.mp4')
  await putSample(folder, BLURAY, 'film-ts')
  await putSample(folder, PART)
  await putSample(folder, LAST_PART)
  await putSample(folder, 'Long (1970)/Disc 1/VIDEO_TS/VTS_01_1.VOB', 'film-mpg')
  putFile(folder, 'Heat (1995)/movie.nfo', nfo('The Heat'))
  putFile(folder, 'Moon (2009)/Moon (2009).nfo', nfo('The Moon'))
  putFile(folder, 'Ran (1985)/movie.nfo', nfo('The Ran'))
  putFile(folder, 'Long (1970)/movie.nfo', nfo('The Long'))
  for (const name of ['poster.jpg', 'folder.jpg', 'fanart.jpg', 'fanart2.jpg', 'other.jpg']) {
    putFile(folder, `Heat (1995)/${name}`, 'picture')
  }
  putFile(folder, 'Heat (1995)/VIDEO_TS/fanart.jpg', 'a nearer one counts before those above')
  putFile(folder, 'Moon (2009)/folder.jpg', 'picture')
  putFile(folder, 'Ran (1985)/Ran (1985)-poster.jpg', 'picture')
  t.match(await scan(), { status: 'completed', itemsFailed: 0 })
  t.match(await said(DVD), { name: 'The Heat', overview: 'Two men.' })
  t.match(await said(BLURAY), { name: 'The Moon' })
  t.match(await said(PART), { name: 'The Ran' })
  t.match(await said('Long (1970)/Disc 1/VIDEO_TS/VTS_01_1.VOB'), { name: 'The Long' })
  t.strictSame(await pictures(), [
    `backdrop Heat (1995)/VIDEO_TS/fanart.jpg of ${DVD}`,
    `poster Heat (1995)/poster.jpg of ${DVD}`,
    `poster Moon (2009)/folder.jpg of ${BLURAY}`,
    `poster Ran (1985)/Ran (1985)-poster.jpg of ${PART}`,
  ])
  await scan('rescan')
  t.strictSame(services.probed, [], 'unchanged, nothing is opened')
})

void t.test('files above a film are noticed when they are added, changed and removed', async (t) => {
  const { folder, scan, pictures, said, services } = await filmsInFolders(t)
  await putSample(folder, DVD, 'film-mpg')
  await putSample(folder, BLURAY, 'film-ts')
  await putSample(folder, PART)
  await putSample(folder, LAST_PART)
  await scan()
  t.strictSame(await pictures(), [])
  for (const film of ['Heat (1995)', 'Moon (2009)', 'Ran (1985)']) {
    putFile(folder, `${film}/movie.nfo`, nfo(`The ${film}`))
    putFile(folder, `${film}/poster.jpg`, 'picture')
  }
  await scan()
  const films = [DVD, BLURAY, PART]
  t.strictSame(
    services.probed.toSorted(),
    films.map((path) => join(folder, path)).toSorted(),
    'the films are read again',
  )
  t.match(await Promise.all(films.map(said)), [
    { name: 'The Heat (1995)' },
    { name: 'The Moon (2009)' },
    { name: 'The Ran (1985)' },
  ])
  t.strictSame(await pictures(), [
    `poster Heat (1995)/poster.jpg of ${DVD}`,
    `poster Moon (2009)/poster.jpg of ${BLURAY}`,
    `poster Ran (1985)/poster.jpg of ${PART}`,
  ])
  putFile(folder, 'Heat (1995)/movie.nfo', nfo('Heat, again', 'Another plot.'))
  await putSample(folder, 'Moon (2009)/Moon (2009)-trailer.mp4')
  await scan()
  t.match(await said(DVD), { name: 'Heat, again', overview: 'Another plot.' })
  t.equal((await pictures()).length, 3, 'a folder that changes takes no picture from the film below it')
  rmSync(join(folder, 'Heat (1995)/movie.nfo'))
  rmSync(join(folder, 'Moon (2009)/poster.jpg'))
  rmSync(join(folder, 'Ran (1985)/movie.nfo'))
  await scan()
  t.match(await said(DVD), { name: 'Heat', overview: undefined })
  t.match(await said(PART), { name: 'Ran' })
  t.strictSame(await pictures(), [`poster Heat (1995)/poster.jpg of ${DVD}`, `poster Ran (1985)/poster.jpg of ${PART}`])
})

void t.test('files above a film are ignored if another film or the library root is there', async (t) => {
  const { folder, scan, pictures, said } = await filmsInFolders(t)
  await putSample(folder, 'VIDEO_TS/VTS_01_1.VOB', 'film-mpg')
  await putSample(folder, 'CD1/Alien (1979).mp4')
  await putSample(folder, 'Heat (1995)/Heat (1995).mp4')
  await putSample(folder, DVD, 'film-mpg')
  await putSample(folder, 'Hitchcock/Disc 1/Psycho (1960).mp4')
  await putSample(folder, 'Hitchcock/Disc 2/The Birds (1963).mp4')
  for (const place of ['', 'Heat (1995)/', 'Hitchcock/']) {
    putFile(folder, `${place}movie.nfo`, nfo('Told'))
    putFile(folder, `${place}poster.jpg`, 'picture')
  }
  await scan()
  const names = await Promise.all(
    ['CD1/Alien (1979).mp4', DVD, 'Hitchcock/Disc 1/Psycho (1960).mp4', 'Heat (1995)/Heat (1995).mp4'].map(said),
  )
  t.strictSame(
    names.map(({ name }) => name),
    ['Alien', 'Heat', 'Psycho', 'Told'],
  )
  t.strictSame(await pictures(), ['poster Heat (1995)/poster.jpg of Heat (1995)/Heat (1995).mp4'])
})

void t.test('album.nfo above disc folders describes the songs in them', async (t) => {
  const { folder, scan, items, services } = await scannedLibrary(t, { type: 'music' })
  const song = (title: string) => ({ tags: { title, artist: 'Oscillator' } })
  await putAudio(folder, 'Oscillator/Waves/CD1/01.mp3', song('Sine'))
  await putAudio(folder, 'Oscillator/Waves/Disc 2 (Live)/01.mp3', song('Saw'))
  await putAudio(folder, 'Oscillator/Discovery/01.mp3', song('Found'))
  const album = (publisher: string): string => `<album><title>Waves</title><label>${publisher}</label></album>`
  putFile(folder, 'Oscillator/Waves/album.nfo', album('Bench'))
  putFile(folder, 'Oscillator/album.nfo', album('of no album'))
  const publishers = async () =>
    new Set([...(await items()).values()].map(({ metadata }) => metadata['publisher'] ?? null))
  await scan()
  t.strictSame(await publishers(), new Set(['Bench', null]))
  await scan('rescan')
  t.strictSame(services.probed, [], 'unchanged, nothing is opened')
  putFile(folder, 'Oscillator/Waves/album.nfo', album('Other'))
  putFile(folder, 'Oscillator/Waves/CD1/album.nfo', album('Own'))
  await scan()
  t.strictSame(await publishers(), new Set(['Other', 'Own', null]), 'that of the disc itself counts before')
  rmSync(join(folder, 'Oscillator/Waves/album.nfo'))
  rmSync(join(folder, 'Oscillator/Waves/CD1/album.nfo'))
  await scan()
  t.strictSame(await publishers(), new Set([null]))
})
