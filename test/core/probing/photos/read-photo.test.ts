import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { ProbedPhoto } from '../../../../src/core/probing/photos/probed-photo.ts'
import { readPhoto } from '../../../../src/core/probing/photos/read-photo.ts'
import { createZoneOffsets } from '../../../../src/core/probing/photos/local-time.ts'
import { noiseOf, sourceAt, sourceOf } from '../../../support/byte-sources.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { sampleMedia } from '../../../support/media.ts'
import { ascii, byte, jpegOf, rational, short, tiffOf, type TiffTags } from './tiff-writer.ts'

const TIME = { nameDate: null, modifiedAtSeconds: 1_700_000_000, zone: 'Europe/Berlin' }

async function photoOf(
  t: Test,
  bytes: Uint8Array,
  time: Partial<typeof TIME> | { nameDate: string } = {},
): Promise<ProbedPhoto> {
  const outcome = await readPhoto(createZoneOffsets(), { source: sourceOf(t, bytes), ...TIME, ...time })
  if (outcome.kind === 'read') return outcome.photo
  throw new Error(`${outcome.code}: ${outcome.reason}`)
}

const TAKEN = { 0x9003: ascii('2024:05:06 07:08:09') } satisfies TiffTags

void t.test('camera, settings and location are formatted for people', async (t) => {
  const tiff = tiffOf({
    first: { 0x010f: ascii('Maker'), 0x0110: ascii('Model\u00001'), 0x0112: short(6) },
    exif: {
      ...TAKEN,
      0x829a: rational([1, 250]),
      0x829d: rational([28, 10]),
      0x8827: short(400),
      0x920a: rational([50, 1]),
      0xa434: ascii('Lens 50mm'),
    },
    gps: {
      1: ascii('S'),
      2: rational([33, 1], [51, 1], [3564, 100]),
      3: ascii('E'),
      4: rational([151, 1], [12, 1], [40, 1]),
      5: byte(1),
      6: rational([55, 10]),
    },
  })
  const photo = await photoOf(t, jpegOf(tiff))
  t.match(photo, { mime: 'image/jpeg', width: 48, height: 64, orientation: 6 })
  t.match(photo.camera, {
    make: 'Maker',
    lens: 'Lens 50mm',
    aperture: 'f/2.8',
    iso: 400,
    shutterSpeed: '1/250',
    focalLength: '50 mm',
  })
  t.match(photo.place, { latitude: -33.8599, longitude: 151.2111111, altitude: -5.5 })
  t.notMatch(JSON.stringify(photo), /\\u0000/)
})

void t.test(
  'times use their own offset, else the satellite time, else the given zone; OffsetTime is ignored',
  async (t) => {
    const taken = async (exif: TiffTags, gps?: TiffTags): Promise<ProbedPhoto['taken']> =>
      (await photoOf(t, jpegOf(tiffOf({ exif, ...(gps === undefined ? {} : { gps }) })))).taken
    const local = '2024-05-06T07:08:09'
    const own = await taken({ ...TAKEN, 0x9011: ascii('-04:00') })
    t.strictSame(own, {
      local,
      offsetMinutes: -240,
      unixSeconds: Date.UTC(2024, 4, 6, 11, 8, 9) / 1000,
      source: 'original',
    })
    const changed = await taken({ ...TAKEN, 0x9010: ascii('-04:00') })
    t.match(changed, { offsetMinutes: null, unixSeconds: Date.UTC(2024, 4, 6, 5, 8, 9) / 1000 }, 'Berlin in summer')
    const gps = { 7: rational([1, 1], [38, 1], [20, 1]), 0x1d: ascii('2024:05:06') }
    t.match(await taken(TAKEN, gps), { offsetMinutes: 330, unixSeconds: Date.UTC(2024, 4, 6, 1, 38, 9) / 1000 })
    const stale = { 7: rational([1, 1], [45, 1], [0, 1]), 0x1d: ascii('2024:05:06') }
    t.match(await taken(TAKEN, stale), { offsetMinutes: null }, 'an older fix')
    t.match(await taken({ 0x9004: ascii('2020:01:02 03:04:05') }), {
      source: 'digitized',
      local: '2020-01-02T03:04:05',
    })
  },
)

void t.test('without EXIF the time comes from XMP, the name or the file', async (t) => {
  const xmp = '<x:xmpmeta><rdf:Description xmp:CreateDate="2019-02-03T04:05:06+01:00"/></x:xmpmeta>'
  t.match((await photoOf(t, jpegOf(tiffOf({}), xmp))).taken, {
    source: 'xmp',
    offsetMinutes: 60,
    local: '2019-02-03T04:05:06',
  })
  const named = (await photoOf(t, jpegOf(tiffOf({})), { nameDate: '2018-07-08' })).taken
  t.match(named, { source: 'name', local: '2018-07-08T00:00:00', unixSeconds: Date.UTC(2018, 6, 7, 22) / 1000 })
  t.match((await photoOf(t, jpegOf(tiffOf({})))).taken, { source: 'modified', unixSeconds: 1_700_000_000 })
})

void t.test('impossible dates, locations, numbers and orientations are null or upright (IM-05)', async (t) => {
  for (const date of [
    '0000:00:00 00:00:00',
    '9999:12:31 23:59:59',
    '2024:02:31 10:00:00',
    '    :  :     :  :  ',
    'garbage',
    '2024:05:06 25:00:00',
  ]) {
    t.equal((await photoOf(t, jpegOf(tiffOf({ exif: { 0x9003: ascii(date) } })))).taken.source, 'modified', date)
  }
  const place = async (latitude: readonly [number, number]): Promise<ProbedPhoto['place']> => {
    const gps = {
      1: ascii('N'),
      2: rational(latitude, [0, 1], [0, 1]),
      3: ascii('E'),
      4: rational([10, 1], [0, 1], [0, 1]),
    }
    return (await photoOf(t, jpegOf(tiffOf({ gps })))).place
  }
  t.equal(await place([0, 0]), null, 'not a number')
  t.equal(await place([91, 1]), null)
  t.equal(await place([1, 0]), null, 'infinite')
  t.match(await place([90, 1]), { latitude: 90, altitude: null })
  const odd = await photoOf(
    t,
    jpegOf(tiffOf({ first: { 0x0112: short(99) }, exif: { 0x829a: rational([0, 0]), 0x829d: rational([1, 0]) } })),
  )
  t.match(odd, { orientation: 1, camera: { shutterSpeed: null, aperture: null, iso: null } })
})

void t.test('real pictures of ffmpeg have their size, with one read each', async (t) => {
  const directory = reachableDirectory(t)
  for (const [extension, mime] of [
    ['png', 'png'],
    ['webp', 'webp'],
    ['gif', 'gif'],
    ['bmp', 'bmp'],
    ['tiff', 'tiff'],
    ['jpg', 'jpeg'],
  ] as const) {
    const path = join(directory, `a.${extension}`)
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=64x48', '-frames:v', '1', path])
    const source = sourceAt(t, path)
    const outcome = await readPhoto(createZoneOffsets(), { source, ...TIME })
    t.match(
      outcome,
      { kind: 'read', photo: { mime: `image/${mime}`, width: 64, height: 48, orientation: 1 } },
      extension,
    )
    t.equal(source.reads, 1, extension)
  }
})

void t.test('a motion photo has the offset of its video, if one exists', async (t) => {
  const film = Buffer.from('\0\0\0\u0018ftypmp42 and so on', 'latin1')
  const xmp = `<rdf:Description GCamera:MicroVideo="1" GCamera:MicroVideoOffset="${film.length}"/>`
  const still = jpegOf(tiffOf({}), xmp)
  t.equal((await photoOf(t, Buffer.concat([still, film]))).motionOffsetBytes, still.length)
  t.equal((await photoOf(t, Buffer.concat([still, Buffer.alloc(100)]))).motionOffsetBytes, null)
})

void t.test('empty, foreign, random and cut files are unreadable, damaged ones never throw (M19, FZ-01)', async (t) => {
  const codeOf = async (bytes: Uint8Array | string): Promise<string> => {
    const outcome = await readPhoto(createZoneOffsets(), { source: sourceOf(t, bytes), ...TIME })
    return outcome.kind === 'read' ? 'read' : outcome.code
  }
  t.equal(await codeOf(''), 'empty')
  t.equal(await codeOf('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'unknown_format')
  t.equal(await codeOf(noiseOf(9, 5000)), 'unknown_format')
  const whole = readFileSync(await sampleMedia('photo-jpg'))
  t.equal(await codeOf(whole.subarray(0, 30)), 'damaged')
  const sample = jpegOf(tiffOf({ first: { 0x010f: ascii('Maker') }, exif: TAKEN, gps: { 1: ascii('N') } }))
  for (let seed = 1; seed <= 60; seed += 1) {
    const bytes = Buffer.from(sample)
    for (const [index, value] of noiseOf(seed, 6).entries()) bytes[(value * 31 + index * 17) % bytes.length] = value
    t.match(await codeOf(bytes), /read|damaged|unknown_format/)
  }
})

void t.test("the zone of the process has no part in a photo's time", async (t) => {
  const directory = reachableDirectory(t)
  writeFileSync(join(directory, 'a.jpg'), jpegOf(tiffOf({ exif: TAKEN })))
  const source = (path: string): string =>
    JSON.stringify(fileURLToPath(new URL(`../../../../src/core/${path}`, import.meta.url)))
  const script = `const { createBufferPool, openByteSource } = await import(${source('platform/files/byte-source.ts')})
    const { readPhoto } = await import(${source('probing/photos/read-photo.ts')})
    const { createZoneOffsets } = await import(${source('probing/photos/local-time.ts')})
    const source = openByteSource(createBufferPool(), process.argv[1], process.argv[1] + '/a.jpg')
    const outcome = await readPhoto(createZoneOffsets(), { source, nameDate: null, modifiedAtSeconds: 0, zone: 'Europe/Berlin' })
    console.log(JSON.stringify(outcome.photo.taken))`
  const run = (zone: string): unknown =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script, directory], {
        env: { TZ: zone },
        encoding: 'utf8',
      }),
    )
  t.strictSame(run('UTC'), run('America/New_York'))
  t.match(run('Asia/Tokyo'), { local: '2024-05-06T07:08:09', unixSeconds: Date.UTC(2024, 4, 6, 5, 8, 9) / 1000 })
})
