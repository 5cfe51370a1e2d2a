import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import type { AnalysedFile } from '../../../../src/core/analysis/index.ts'
import { TrickplaySetWriter, type TrickplayWriteStage } from '../../../../src/core/analysis/trickplay/set-writer.ts'
import { createTrickplayStore } from '../../../../src/core/analysis/trickplay/trickplay-store.ts'
import { removeItem } from '../../../../src/core/catalogue/index.ts'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { smallDisk, unlessMountable } from '../../../support/disks.ts'
import { testServices } from '../../../support/services.ts'
import { analysedFilm } from '../analysed-film.ts'
import { shownSeconds, timeFilm } from '../time-films.ts'
import { filmWithSet, makeSet } from './made-set.ts'
import { parseXml } from './strict-xml.ts'

const services = await testServices(t)
const { trickplay, config } = services
const root = join(config.dataDirectory, 'cache', 'trickplay')
const PICTURE_BYTES = 160 * 90 * 3

/** A picture of one grey. */
const grey = (level: number): Buffer => Buffer.alloc(PICTURE_BYTES, level)

const someFile = async (t: Test): Promise<AnalysedFile> => analysedFilm(t, services, await timeFilm('short'))

const namesOf = (file: AnalysedFile): string[] => {
  const folder = join(root, file.itemId)
  return existsSync(folder) ? readdirSync(folder) : []
}

const nameOf = ({ sizeBytes, modifiedAtNanoseconds }: AnalysedFile): string => `${sizeBytes}-${modifiedAtNanoseconds}`

void t.test('each range of the index is a complete JPEG that equals its cell of the grid', async (t) => {
  const file = await someFile(t)
  const writer = await trickplay.begin(file)
  for (let index = 0; index < 71; index += 1) await writer.frame(grey(index * 3))
  t.strictSame(await trickplay.find([file.itemId]), new Map(), 'not visible before its end')
  t.strictSame(await writer.commit(), { outcome: 'done', reason: null })
  const folder = join(root, file.itemId, nameOf(file))
  t.strictSame(readdirSync(folder).toSorted(), ['index.xml', 'thumb-0.jpg', 'thumb-1.jpg', 'thumb-2.jpg'])
  const thumbs = parseXml(readFileSync(join(folder, 'index.xml'), 'utf8')).children[0]?.children ?? []
  t.equal(thumbs.length, 71)
  for (const [index, { attributes }] of thumbs.entries()) {
    t.equal(attributes['time'], `${index * 10}`)
    const bytes = readFileSync(join(folder, `thumb-${Math.floor(index / 32)}.jpg`))
    const offset = Number(attributes['offset'])
    const single = bytes.subarray(offset, offset + Number(attributes['length']))
    t.strictSame([...single.subarray(0, 2), ...single.subarray(-2)], [0xff, 0xd8, 0xff, 0xd9])
    const { data, info } = await sharp(single, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true })
    t.match(info, { width: 160, height: 90 })
    const cell = { left: (index % 8) * 160, top: Math.floor((index % 32) / 8) * 90, width: 160, height: 90 }
    const inGrid = await sharp(bytes).extract(cell).raw().toBuffer()
    const worst = data.reduce((most, value, at) => Math.max(most, Math.abs(value - (inGrid[at] ?? 0))), 0)
    t.ok(worst <= 12, `picture ${index} differs by ${worst}`)
    t.ok(Math.abs((data[0] ?? 0) - index * 3) <= 6)
  }
  const grid = await sharp(readFileSync(join(folder, 'thumb-2.jpg'))).metadata()
  t.match(grid, { width: 1280, height: 360 }, 'the last grid is complete, too')
})

void t.test('a set of a real film has the pictures of their times', async (t) => {
  const file = await filmWithSet(t, services, await timeFilm('constant'))
  const set = (await trickplay.find([file.itemId])).get(file.itemId)
  t.equal(set?.pictures.length, 7)
  const bytes = readFileSync(join(set?.folder ?? '', 'thumb-0.jpg'))
  for (const { seconds, offsetBytes, lengthBytes } of set?.pictures ?? []) {
    const rgb = await sharp(bytes.subarray(offsetBytes, offsetBytes + lengthBytes))
      .raw()
      .toBuffer()
    const shown = shownSeconds(rgb)
    t.ok(shown <= seconds + 1 && shown >= seconds - 5, `${seconds}: ${shown}`)
  }
})

void t.test('a set that is read again begins at its first picture', async (t) => {
  const file = await someFile(t)
  const writer = await trickplay.begin(file)
  for (let index = 0; index < 40; index += 1) await writer.frame(grey(200))
  await writer.restart()
  t.strictSame(namesOf(file), [])
  await writer.frame(grey(10))
  t.match(await writer.commit(), { outcome: 'done' })
  t.equal((await trickplay.find([file.itemId])).get(file.itemId)?.pictures.length, 1)
})

void t.test('a writer without pictures or without a commit leaves nothing', async (t) => {
  const file = await someFile(t)
  t.match(await (await trickplay.begin(file)).commit(), { outcome: 'failed', reason: 'the video has no pictures' })
  const writer = await trickplay.begin(file)
  for (let index = 0; index < 40; index += 1) await writer.frame(grey(1))
  await writer.discard()
  t.strictSame(namesOf(file), [])
})

void t.test('the set of an earlier version of a file is replaced and not shown', async (t) => {
  const file = await someFile(t)
  await makeSet(services, { ...file })
  const old = { ...file, sizeBytes: file.sizeBytes + 1 }
  mkdirSync(join(root, file.itemId, nameOf(old)))
  const again = await trickplay.begin(file)
  await again.frame(grey(77))
  t.match(await again.commit(), { outcome: 'done' })
  t.strictSame(namesOf(file), [nameOf(file)])
  t.notOk(await trickplay.has(old))
  t.ok(await trickplay.has(file))
})

void t.test(
  'a sweep removes sets of deleted items, of earlier files, without index, and of dead processes',
  async (t) => {
    const kept = await filmWithSet(t, services, await timeFilm('short'))
    const deleted = await filmWithSet(t, services, await timeFilm('short'))
    await removeItem(services, deleted.itemId)
    const [live] = namesOf(kept)
    const setFolder = join(root, kept.itemId, live ?? '')
    writeFileSync(join(setFolder, 'sprite.jpg.tmp-1-0-abc'), 'x')
    for (const name of ['1-1', '2-2.tmp-1-0-abc']) {
      mkdirSync(join(root, kept.itemId, name))
      writeFileSync(join(root, kept.itemId, name, 'thumb-0.jpg'), 'x')
    }
    const own = await trickplay.begin(kept)
    for (let index = 0; index < 32; index += 1) await own.frame(grey(1))
    const { sets, bytes } = await trickplay.sweep()
    t.equal(sets, 2)
    t.ok(bytes > 1000)
    t.notOk(existsSync(join(root, deleted.itemId)))
    t.equal(namesOf(kept).length, 2, 'the current set, and the set that is being written')
    t.strictSame(readdirSync(setFolder).toSorted(), ['index.xml', 'thumb-0.jpg'])
    await own.discard()
    t.match(await trickplay.stats(), { limitBytes: 20 * 1024 ** 3 })
  },
)

void t.test('above the size limit the least recently used sets are removed', async (t) => {
  const limited = await testServices(t, { flags: { 'trickplay.cache_bytes': '1048576' } })
  const files: AnalysedFile[] = []
  for (let count = 0; count < 4; count += 1) {
    const file = await analysedFilm(t, limited, await timeFilm('short'))
    await makeSet(limited, file)
    const folder = join(limited.config.dataDirectory, 'cache', 'trickplay', file.itemId, nameOf(file))
    writeFileSync(join(folder, 'thumb-1.jpg'), Buffer.alloc(400_000))
    const used = new Date(Date.UTC(2026, 0, 10 - count))
    utimesSync(join(folder, 'index.xml'), used, used)
    files.push(file)
  }
  t.match(await limited.trickplay.sweep(), { sets: 2 })
  const left = await Promise.all(files.map((file) => limited.trickplay.has(file)))
  t.strictSame(left, [true, true, false, false])
  const { sets, bytes } = await limited.trickplay.stats()
  t.equal(sets, 2)
  t.ok(bytes <= 1_048_576)
})

void t.test('a derived file is made once, and again after its set was removed not at all', async (t) => {
  const file = await filmWithSet(t, services, await timeFilm('short'))
  const set = (await trickplay.find([file.itemId])).get(file.itemId)
  if (set === undefined) throw new Error('no set')
  let made = 0
  const make = () => {
    made += 1
    return Promise.resolve(Buffer.from('content'))
  }
  const read = async () => {
    await using handle = await trickplay.openDerived(set, 'sprite.jpg', make)
    return handle.readFile('utf8')
  }
  t.strictSame(await Promise.all([read(), read(), read()]), ['content', 'content', 'content'])
  t.equal(await read(), 'content')
  t.equal(made, 1)
  await removeItem(services, file.itemId)
  await trickplay.sweep()
  await t.rejects(read(), { code: 'trickplay_not_found' })
})

void t.test('a full disk is a result, and leaves no part of a set (F-09)', { skip: unlessMountable() }, async (t) => {
  const disk = smallDisk(t, 2)
  const onDisk = loadConfig({ dataDirectory: disk.folder, environment: {}, flags: { 'hls.min_disk_space_bytes': '0' } })
  const file = await someFile(t)
  const writer = new TrickplaySetWriter({ config: onDisk, images: services.images }, file)
  await writer.frame(grey(1))
  disk.fill()
  for (let index = 0; index < 40; index += 1) await writer.frame(grey(1))
  t.match(await writer.commit(), { outcome: 'failed', reason: /free space|cannot be written/ })
  const folder = join(disk.folder, 'cache', 'trickplay', file.itemId)
  t.strictSame(existsSync(folder) ? readdirSync(folder) : [], [])
  disk.empty()
  const floor = loadConfig({ dataDirectory: disk.folder, environment: {} })
  const refused = new TrickplaySetWriter({ config: floor, images: services.images }, file)
  for (let index = 0; index < 33; index += 1) await refused.frame(grey(1))
  t.match(await refused.commit(), { outcome: 'failed', reason: 'the disk has too little free space' })
})

void t.test(
  'on a full disk a derived file is an error, and the set is still read',
  { skip: unlessMountable() },
  async (t) => {
    const disk = smallDisk(t, 4)
    const options = { dataDirectory: disk.folder, environment: {} }
    const full = { ...services, config: loadConfig({ ...options, flags: { 'hls.min_disk_space_bytes': '0' } }) }
    const onDisk = { ...services, trickplay: createTrickplayStore(full) }
    const file = await analysedFilm(t, services, await timeFilm('short'))
    const set = await makeSet(onDisk, file)
    const make = () => Promise.resolve(Buffer.alloc(100_000))
    const floor = createTrickplayStore({ ...services, config: loadConfig(options) })
    await t.rejects(floor.openDerived(set, 'sprite.jpg', make), { code: 'trickplay_disk_full' }, 'below the floor')
    disk.fill()
    await t.rejects(onDisk.trickplay.openDerived(set, 'sprite.jpg', make), { code: 'trickplay_disk_full' })
    t.strictSame(readdirSync(set.folder).toSorted(), ['index.xml', 'thumb-0.jpg'], 'no part of it is left')
    // An hour after the last access its time is recorded.
    utimesSync(join(set.folder, 'index.xml'), 0, 0)
    execFileSync('mount', ['-o', 'remount,ro', disk.folder])
    t.equal((await onDisk.trickplay.find([file.itemId])).size, 1)
    await t.rejects(onDisk.trickplay.openDerived(set, 'sprite.jpg', make), { code: 'trickplay_disk_full' })
  },
)

/** Writes a set and kills its own process at a stage. */
const KILLED_AT = `
  const [dataDirectory, file, stage] = process.argv.slice(1)
  const load = (path) => import(${JSON.stringify(join(import.meta.dirname, '../../../../src/core/'))} + path)
  const { TrickplaySetWriter } = await load('analysis/trickplay/set-writer.ts')
  const { loadConfig } = await load('platform/config/index.ts')
  const { encodePixels } = await load('platform/images/pixels.ts')
  const config = loadConfig({ dataDirectory, environment: {}, flags: { 'hls.min_disk_space_bytes': '0' } })
  const onStage = (one) => { if (one === stage) process.kill(process.pid, 'SIGKILL') }
  const writer = new TrickplaySetWriter({ config, images: { encode: encodePixels } }, JSON.parse(file), onStage)
  for (let index = 0; index < 40; index += 1) await writer.frame(Buffer.alloc(${PICTURE_BYTES}, index))
  await writer.commit()
`

const STAGES: TrickplayWriteStage[] = ['begun', 'grid', 'pictures', 'index', 'published']

for (const stage of STAGES) {
  void t.test(`a process that is killed leaves no partial set, and its files are swept: ${stage}`, async (t) => {
    const file = await someFile(t)
    const args = ['--input-type=module', '--eval', KILLED_AT, config.dataDirectory, JSON.stringify(file), stage]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
    t.equal(signal, 'SIGKILL')
    t.ok(namesOf(file).length > 0)
    const isPublished = stage === 'published'
    const set = (await trickplay.find([file.itemId])).get(file.itemId)
    t.equal(set?.pictures.length, isPublished ? 40 : undefined)
    await trickplay.sweep()
    t.strictSame(namesOf(file), isPublished ? [nameOf(file)] : [])
  })
}
