import { mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'slonik'
import t from 'tap'
import type { Database } from '../../../src/core/platform/database/index.ts'
import { listScanFailures, queueScan } from '../../../src/core/scanning/index.ts'
import { heicWith, jpegWith, rawWith } from '../../support/pictures.ts'
import { startScanProcess } from '../../support/scan-process.ts'
import { putFile, putSample, scannedLibrary } from '../../support/scanning.ts'

type Row = Record<string, unknown>

/** The rows of all photos by file name. */
async function photosByName(db: Database): Promise<Record<string, Row>> {
  const rows = await db.any(sql.unsafe`
    select i.name, p.*, p.taken_local::text as taken_local, p.library_id = i.library_id as is_of_library
    from photos p join media_items i on i.id = p.media_item_id`)
  return Object.fromEntries((rows as readonly Row[]).map((row) => [String(row['name']), row]))
}

/** Every item with its role and owner, by file name. */
async function rolesByName(db: Database): Promise<Record<string, unknown>> {
  const rows = await db.any(sql.unsafe`
    select i.name, i.type, i.role, i.role_label, o.name as owner, i.id
    from media_items i left join media_items o on o.id = i.primary_id`)
  return Object.fromEntries(
    (rows as readonly Row[]).map(({ name, type, role, roleLabel, owner }) => [name, [type, role, roleLabel, owner]]),
  )
}

const MOMENT = new Date('2023-11-05T10:20:30Z')

void t.test('a picture is an item with size, camera, location and time', async (t) => {
  const { folder, db, scan, items } = await scannedLibrary(t, { type: 'photo' })
  const picture = await jpegWith({
    takenAt: '2024:05:06 07:08:09',
    offset: '+02:00',
    make: 'Camera Works',
    model: 'One',
    lens: 'Lens 35',
    description: 'By the sea\0\uD800',
    orientation: 6,
    exposure: [1, 250],
    aperture: [28, 10],
    iso: 400,
    focalLength: [35, 1],
    place: { latitude: [52, 30, 0], longitude: [13, 24, 0], altitude: 34 },
  })
  putFile(folder, '2024/Sea/IMG_1.jpg', picture)
  t.match(await scan(), { status: 'completed', itemsFound: 1, itemsAdded: 1, itemsFailed: 0, error: null })
  const item = (await items()).get('2024/Sea/IMG_1.jpg')
  t.match(item, { type: 'image', name: 'IMG_1.jpg', year: 2024, container: 'jpeg', parentId: null, probeError: null })
  t.match(item?.metadata, { title: 'IMG_1.jpg', overview: /^By the sea/ })
  const { 'IMG_1.jpg': photo } = await photosByName(db)
  t.match(photo, {
    mediaItemId: item?.id,
    isOfLibrary: true,
    width: 48,
    height: 64,
    orientation: 6,
    takenAt: Date.parse('2024-05-06T05:08:09Z') / 1000,
    takenLocal: '2024-05-06 07:08:09',
    localDate: '2024-05-06',
    offsetMinutes: 120,
    timeSource: 'original',
    isListed: true,
  })
  t.strictSame(photo?.['exif'], {
    camera_make: 'Camera Works',
    camera_model: 'One',
    lens: 'Lens 35',
    aperture: 'f/2.8',
    iso: 400,
    shutter_speed: '1/250',
    focal_length: '35 mm',
    gps_lat: 52.5,
    gps_lng: 13.4,
    gps_alt: 34,
  })
})

void t.test('a picture without EXIF is dated by its name, and without one by its file', async (t) => {
  const { folder, db, scan } = await scannedLibrary(t, { type: 'photo' })
  const plain = await jpegWith({})
  putFile(folder, 'IMG_20230405_101112.jpg', plain, MOMENT)
  putFile(folder, 'IMG-20230405-WA0001.jpg', plain, MOMENT)
  putFile(folder, 'holiday.jpg', plain, MOMENT)
  putFile(folder, 'future.jpg', plain, new Date('2150-01-01T00:00:00Z'))
  putFile(folder, 'past.jpg', plain, new Date('1901-01-01T00:00:00Z'))
  t.match(await scan(), { status: 'completed', itemsFailed: 0 })
  const photos = await photosByName(db)
  const told = Object.entries(photos).map(([name, row]) => [name, row['timeSource'], row['takenLocal'], row['exif']])
  t.strictSame(
    told.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    [
      ['IMG-20230405-WA0001.jpg', 'name', '2023-04-05 00:00:00', {}],
      ['IMG_20230405_101112.jpg', 'name', '2023-04-05 10:11:12', {}],
      ['future.jpg', 'modified', '2099-12-31 23:59:59', {}],
      ['holiday.jpg', 'modified', '2023-11-05 10:20:30', {}],
      ['past.jpg', 'modified', '1970-01-01 00:00:00', {}],
    ],
  )
})

void t.test('times without an offset use the zone of the library, regardless of the zone of the process', async (t) => {
  const rowsIn = async (zone: string) => {
    const { folder, db, scan, services, library, environment } = await scannedLibrary(t, {
      type: 'photo',
      options: { time_zone: 'Europe/Berlin' },
    })
    putFile(folder, 'exif.jpg', await jpegWith({ takenAt: '2024:07:06 00:30:00' }), MOMENT)
    putFile(folder, 'offset.jpg', await jpegWith({ takenAt: '2024:07:06 00:30:00', offset: '-05:00' }), MOMENT)
    putFile(folder, '2024-07-06 00.30.00.jpg', await jpegWith({}), MOMENT)
    putFile(folder, 'midnight.jpg', await jpegWith({}), new Date('2024-07-05T22:30:00Z'))
    if (zone === '') await scan()
    else {
      const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
      const { stdout } = startScanProcess(t, [id], { ...environment, TZ: zone })
      t.equal(stdout === null ? '' : await text(stdout), 'completed 4\n')
    }
    const rows = Object.entries(await photosByName(db)).map(
      ([name, { takenAt, takenLocal, localDate, offsetMinutes }]) => ({
        name,
        takenAt,
        takenLocal,
        localDate,
        offsetMinutes,
      }),
    )
    return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
  const here = await rowsIn('')
  const night = Date.parse('2024-07-05T22:30:00Z') / 1000
  const asRead = { takenAt: night, takenLocal: '2024-07-06 00:30:00', localDate: '2024-07-06', offsetMinutes: null }
  t.strictSame(here, [
    { name: '2024-07-06 00.30.00.jpg', ...asRead },
    { name: 'exif.jpg', ...asRead },
    { name: 'midnight.jpg', ...asRead },
    { name: 'offset.jpg', ...asRead, takenAt: night + 7 * 3600, offsetMinutes: -300 },
  ])
  t.strictSame(await rowsIn('America/New_York'), here)
  t.strictSame(await rowsIn('Pacific/Kiritimati'), here)
})

void t.test('the companions of live photos and raw files belong to their picture and are not listed', async (t) => {
  const { folder, db, scan, items } = await scannedLibrary(t, { type: 'photo' })
  putFile(folder, 'a/IMG_1.HEIC', heicWith({ takenAt: '2024:05:06 07:08:09' }))
  await putSample(folder, 'a/IMG_1.MOV')
  putFile(folder, 'a/DSC_2.JPG', await jpegWith({}))
  putFile(folder, 'a/DSC_2.NEF', rawWith({ takenAt: '2024:05:06 07:08:10', make: 'Camera Works' }))
  putFile(folder, 'a/DSC_3.NEF', rawWith({ takenAt: '2024:05:06 07:08:11' }))
  await putSample(folder, 'a/clip.mp4')
  t.match(await scan(), { status: 'completed', itemsFound: 6, itemsAdded: 6, itemsFailed: 0 })
  t.strictSame([...(await items()).keys()].toSorted(), ['a/DSC_2.JPG', 'a/DSC_3.NEF', 'a/IMG_1.HEIC', 'a/clip.mp4'])
  const roles = {
    'IMG_1.HEIC': ['image', null, null, null],
    'IMG_1.MOV': ['video', 'extra', 'live photo', 'IMG_1.HEIC'],
    'DSC_2.JPG': ['image', null, null, null],
    'DSC_2.NEF': ['image', 'version', 'NEF', 'DSC_2.JPG'],
    'DSC_3.NEF': ['image', null, null, null],
    'clip.mp4': ['video', null, null, null],
  }
  t.strictSame(await rolesByName(db), roles)
  t.match((await items()).get('a/clip.mp4')?.metadata['source'], { width: 320 }, 'a video is read as one')
  const listed = async () =>
    Object.fromEntries(Object.entries(await photosByName(db)).map(([name, row]) => [name, row['isListed']]))
  t.strictSame(await listed(), { 'IMG_1.HEIC': true, 'DSC_2.JPG': true, 'DSC_2.NEF': false, 'DSC_3.NEF': true })
  t.match((await photosByName(db))['IMG_1.HEIC'], { width: 400, height: 300, localDate: '2024-05-06' })

  rmSync(join(folder, 'a/DSC_2.JPG'))
  putFile(folder, 'a/DSC_3.jpeg', await jpegWith({}))
  t.match(await scan('rescan'), { status: 'completed', itemsAdded: 1, itemsRemoved: 1 })
  t.match(await rolesByName(db), {
    'DSC_2.NEF': ['image', null, null, null],
    'DSC_3.NEF': ['image', 'version', 'NEF', 'DSC_3.jpeg'],
  })
  t.strictSame(await listed(), { 'IMG_1.HEIC': true, 'DSC_2.NEF': true, 'DSC_3.NEF': false, 'DSC_3.jpeg': true })
})

void t.test('damaged and hostile pictures are listed with a reason, and the job completes (M18, M19)', async (t) => {
  const { folder, db, scan, services, items } = await scannedLibrary(t, { type: 'photo' })
  const whole = await jpegWith({ takenAt: '2024:05:06 07:08:09', make: 'x'.repeat(3000) })
  putFile(folder, 'good.jpg', whole)
  putFile(folder, 'empty.jpg', '')
  putFile(folder, 'cut.jpg', whole.subarray(0, 200))
  putFile(folder, 'program.png', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
  putFile(folder, 'film.heic', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom\0\0\0\x08free', 'latin1'))
  putFile(folder, 'loop.dng', Buffer.from('MM\0*\0\0\0\x08\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x08', 'latin1'))
  putFile(folder, 'endless.png', Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), Buffer.alloc(5000, 0xff)]))
  const job = await scan()
  t.match(job, { status: 'completed', itemsFound: 7, itemsAdded: 7, itemsFailed: 6 })
  const rows = await items()
  t.equal(rows.get('good.jpg')?.probeError, null)
  t.equal(rows.size, 7)
  for (const name of ['empty.jpg', 'cut.jpg', 'program.png', 'film.heic', 'loop.dng', 'endless.png']) {
    t.match(rows.get(name), { type: 'image', name, probeError: /\w/ }, name)
  }
  t.strictSame(Object.keys(await photosByName(db)), ['good.jpg'])
  const failures = await listScanFailures(services, { scanJobId: job.id })
  t.equal(failures.length, 6)
  t.match(await scan('rescan'), { status: 'completed', itemsFailed: 0 })
  t.strictSame(services.probed, [], 'a rescan backfills nothing for pictures')
  putFile(folder, 'another.jpg', whole)
  await scan('rescan')
  t.strictSame(services.probed, [join(folder, 'another.jpg')], 'nor in a folder that has changed')
})

void t.test('pictures in a moved folder keep their ids, rows and companions', async (t) => {
  const { folder, db, scan, items } = await scannedLibrary(t, { type: 'photo' })
  putFile(folder, '2024/IMG_1.JPG', await jpegWith({ takenAt: '2024:05:06 07:08:09' }))
  await putSample(folder, '2024/IMG_1.MOV')
  putFile(folder, '2024/IMG_1.DNG', rawWith({ takenAt: '2024:05:06 07:08:09' }))
  putFile(folder, '2024/IMG_2.JPG', await jpegWith({ takenAt: '2024:05:07 07:08:09' }))
  await scan()
  const [before, roles, photos] = [await items(), await rolesByName(db), await photosByName(db)]
  mkdirSync(join(folder, 'Trips'))
  renameSync(join(folder, '2024'), join(folder, 'Trips/Sea'))
  t.match(await scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
  const after = await items()
  t.strictSame([...after.keys()].toSorted(), ['Trips/Sea/IMG_1.JPG', 'Trips/Sea/IMG_2.JPG'])
  for (const name of ['IMG_1.JPG', 'IMG_2.JPG'])
    t.equal(after.get(`Trips/Sea/${name}`)?.id, before.get(`2024/${name}`)?.id)
  t.strictSame(await rolesByName(db), roles)
  t.strictSame(await photosByName(db), photos)
  t.match(await scan(), { status: 'completed', itemsAdded: 0 })
})

void t.test(
  'a changed picture is read again under its id, and one that became unreadable keeps its facts',
  async (t) => {
    const { folder, db, scan, items } = await scannedLibrary(t, { type: 'photo' })
    putFile(folder, 'IMG_1.jpg', await jpegWith({ takenAt: '2024:05:06 07:08:09' }))
    await scan()
    const id = (await items()).get('IMG_1.jpg')?.id
    putFile(folder, 'IMG_1.jpg', await jpegWith({ takenAt: '2025:01:01 00:00:00', make: 'Other' }), MOMENT)
    t.match(await scan(), { status: 'completed', itemsAdded: 0, itemsFailed: 0 })
    t.match((await items()).get('IMG_1.jpg'), { id, year: 2025 })
    t.match(await photosByName(db), { 'IMG_1.jpg': { localDate: '2025-01-01', exif: { camera_make: 'Other' } } })
    putFile(folder, 'IMG_1.jpg', 'no picture')
    t.match(await scan(), { status: 'completed', itemsFailed: 1 })
    t.match((await items()).get('IMG_1.jpg'), { id, probeError: /not a picture/ })
    t.match(await photosByName(db), { 'IMG_1.jpg': { localDate: '2025-01-01' } })
    rmSync(join(folder, 'IMG_1.jpg'))
    putFile(folder, 'IMG_2.jpg', await jpegWith({}))
    t.match(await scan('rescan'), { status: 'completed', itemsRemoved: 1 })
    t.strictSame(Object.keys(await photosByName(db)), ['IMG_2.jpg'])
  },
)

void t.test('an unchanged photo library is not opened, and only a modified picture is read', async (t) => {
  const { folder, scan, services } = await scannedLibrary(t, { type: 'photo' })
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) putFile(folder, `d/${name}`, await jpegWith({}), MOMENT)
  await scan()
  t.match(await scan(), { status: 'completed', itemsFound: 3, itemsUpdated: 3 })
  t.strictSame(services.probed, [])
  utimesSync(join(folder, 'd/b.jpg'), MOMENT, new Date('2024-01-01T00:00:00Z'))
  await scan()
  t.strictSame(services.probed, [join(folder, 'd/b.jpg')])
})

void t.test('a stored zone that this Node does not know counts as UTC', async (t) => {
  const { folder, db, scan } = await scannedLibrary(t, { type: 'photo' })
  await db.query(sql.unsafe`update libraries set options = '{"time_zone": "Mars/Olympus"}'`)
  putFile(folder, 'a.jpg', await jpegWith({ takenAt: '2024:05:06 07:08:09' }))
  t.match(await scan(), { status: 'completed', itemsFailed: 0 })
  t.match((await photosByName(db))['a.jpg'], { takenAt: Date.parse('2024-05-06T07:08:09Z') / 1000 })
})
