import { execFileSync, spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { listScanFailures } from '../../src/core/scanning/index.ts'
import { codeUnits, frame, id3, mpegFrames, text } from '../core/probing/tags/tag-writer.ts'
import { testDatabase } from '../support/database.ts'
import { reachableDirectory } from '../support/directories.ts'
import { sampleMedia } from '../support/media.ts'
import { albumsOf } from '../support/music-rows.ts'
import { putFile, putSample, scannedLibrary } from '../support/scanning.ts'
import { putAudio } from '../support/tagged-audio.ts'

const database = await testDatabase(t)

/** Whole scans of unusual directory trees: valid files are read, the others are reported, and the next scan finds nothing to do. */

const MEBIBYTE = 1024 * 1024

void t.test(
  'circular, dangling and outward links neither stop a scan nor duplicate a film (F-13, FN-04)',
  async (t) => {
    const { folder, scan, items, services } = await scannedLibrary(t, { database })
    const outside = reachableDirectory(t)
    await putSample(outside, 'Secret (2000).mp4')
    await putSample(folder, 'a/b/Film (2001).mp4')
    symlinkSync(folder, join(folder, 'a/b/to the top'))
    symlinkSync('.', join(folder, 'a/to itself'))
    symlinkSync('two', join(folder, 'one'))
    symlinkSync('one', join(folder, 'two'))
    symlinkSync(outside, join(folder, 'outside'))
    symlinkSync(join(outside, 'Secret (2000).mp4'), join(folder, 'Secret (2000).mp4'))
    symlinkSync('/etc/passwd', join(folder, 'Passwd (2000).mp4'))
    symlinkSync('..', join(folder, 'a/b/to its parent'))
    symlinkSync('nowhere.mp4', join(folder, 'Nowhere (2000).mp4'))
    const job = await scan()
    t.match(job, { status: 'completed', itemsFound: 1, itemsAdded: 1 })
    t.strictSame([...(await items()).keys()], ['a/b/Film (2001).mp4'])
    const codes = (await listScanFailures(services, { scanJobId: job.id })).map(({ code }) => code)
    t.strictSame([...new Set(codes)].toSorted(), ['dangling_link', 'link_loop', 'link_outside_root'])
    t.match(await scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
  },
)

void t.test(
  'pipes, sockets, devices and folders that are called like films are never opened (F-14, FN-04)',
  async (t) => {
    const { folder, scan, items, services } = await scannedLibrary(t, { database })
    await putSample(folder, 'Film (2001).mp4')
    execFileSync('mkfifo', [join(folder, 'Pipe (2002).mp4')])
    const socket = createServer()
    await new Promise<void>((resolve) => socket.listen(join(folder, 'Socket (2003).mp4'), resolve))
    t.teardown(() => socket.close())
    mkdirSync(join(folder, 'Folder (2004).mp4'))
    // Only root can create a device.
    const device = 'Zero (2005).mp4'
    const hasDevice = spawnSync('mknod', [join(folder, device), 'c', '1', '5'], { stdio: 'ignore' }).status === 0
    const job = await scan()
    t.match(job, { status: 'completed', itemsAdded: 1, itemsFailed: hasDevice ? 3 : 2 })
    t.strictSame([...(await items()).keys()], ['Film (2001).mp4'])
    t.match(await listScanFailures(services, { scanJobId: job.id }), [
      { path: join(folder, 'Pipe (2002).mp4'), code: 'not_a_regular_file' },
      { path: join(folder, 'Socket (2003).mp4'), code: 'not_a_regular_file' },
      ...(hasDevice ? [{ path: join(folder, device), code: 'not_a_regular_file' }] : []),
    ])
  },
)

void t.test('a hard link is a file of its own, whose bytes may lie outside too (FN-04)', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t, { database })
  linkSync(await putSample(reachableDirectory(t), 'Elsewhere (2000).mp4'), join(folder, 'Film (2001).mp4'))
  t.match(await scan(), { status: 'completed', itemsAdded: 1, itemsFailed: 0 })
  t.match((await items()).get('Film (2001).mp4'), { probeError: null, durationSeconds: Number })
})

void t.test(
  'names that differ in NFC and NFD only are two films, and keep their ids in each scan (F-13)',
  async (t) => {
    const { folder, scan, items } = await scannedLibrary(t, { database })
    const twins = ['NFC', 'NFD'].map((form) => `Amélie/Amélie (2001).mp4`.normalize(form))
    for (const twin of twins) await putSample(folder, twin)
    t.match(await scan(), { itemsAdded: 2 })
    const found = await items()
    t.strictSame([...found.keys()].toSorted(), twins.toSorted())
    t.match(await scan('rescan'), { itemsAdded: 0, itemsRemoved: 0 })
    t.strictSame(await items(), found)
  },
)

void t.test(
  'a name that is not UTF-8 is reported; its siblings and the known items of its folder stay (F-13)',
  async (t) => {
    const { folder, scan, items, services } = await scannedLibrary(t, { database })
    await putSample(folder, 'sub/Film (2001).mp4')
    await scan()
    const known = await items()
    const inFolder = (name: Buffer): Buffer => Buffer.concat([Buffer.from(`${folder}/`), name])
    const bad = Buffer.from([0x63, 0x61, 0x66, 0xe9])
    mkdirSync(inFolder(bad))
    writeFileSync(inFolder(Buffer.concat([bad, Buffer.from('/Hidden (2002).mp4')])), 'film')
    writeFileSync(inFolder(Buffer.concat([Buffer.from('sub/'), bad, Buffer.from('.mp4')])), 'film')
    const job = await scan('rescan')
    t.match(job, { status: 'completed', itemsAdded: 0, itemsRemoved: 0, itemsFailed: 2 })
    t.strictSame(
      (await listScanFailures(services, { scanJobId: job.id })).map(({ code }) => code),
      ['invalid_name', 'invalid_name'],
    )
    t.strictSame(await items(), known)
  },
)

void t.test('a path of almost 4 KiB is a film like any other, and one beyond it does no harm (F-13)', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t, { database })
  const name = 'Film (2001).mp4'
  const room = 4095 - folder.length - name.length - 2
  const long = [...Array.from({ length: Math.floor(room / 251) }, () => 'd'.repeat(250)), 'e'.repeat(room % 251 || 1)]
  const path = join(...long, name)
  await putSample(folder, path)
  t.ok(join(folder, path).length >= 4090)
  // Created from inside, where no path is long.
  const inner = 'f'.repeat(250)
  spawnSync('sh', ['-c', `mkdir ${inner} && cp '${name}' ${inner}/`], { cwd: join(folder, ...long), stdio: 'ignore' })
  await putSample(folder, 'Short (2002).mp4')
  t.match(await scan(), { status: 'completed', itemsAdded: 2 })
  t.match((await items()).get(path), { name: 'Film', probeError: null, durationSeconds: Number })
  t.match(await scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
})

void t.test(
  'truncated, empty and mislabelled files become items with a reason or partial data, and the next scan reads none (F-15, F-21)',
  async (t) => {
    const { folder, scan, items, services } = await scannedLibrary(t, { database })
    const cut = async (kind: 'film-tiny-mp4' | 'film-tracks-mkv', name: string): Promise<void> => {
      const bytes = readFileSync(await sampleMedia(kind))
      for (const length of [7, 100, 3000, bytes.length - 100])
        putFile(folder, `${length} ${name}`, bytes.subarray(0, length))
    }
    await cut('film-tiny-mp4', 'Cut.mp4')
    await cut('film-tracks-mkv', 'Cut.mkv')
    putFile(folder, 'Empty (2001).mp4', '')
    putFile(folder, 'Empty (2002).mkv', '')
    t.match(await scan(), { status: 'completed', itemsFound: 10, itemsAdded: 10 })
    const found = await items()
    for (const [path, item] of found) t.ok(item.probeError !== null || item.durationSeconds !== null, path)
    t.match(found.get('Empty (2001).mp4'), { probeError: 'the file is empty' })
    t.match(await scan(), { itemsAdded: 0, itemsFailed: 0 })
    t.strictSame(services.probed, [])
  },
)

void t.test(
  'songs that are cut, claim covers of 100 MB or hold no characters in their tags are songs (F-15)',
  async (t) => {
    const { db, folder, scan, items } = await scannedLibrary(t, { database, type: 'music' })
    await putAudio(folder, 'Good.flac', { tags: { title: 'Good', artist: 'Oscillator', album: 'Waves' } })
    const flac = readFileSync(join(folder, 'Good.flac'))
    for (const length of [3, 50, 5000]) putFile(folder, `Cut ${length}.flac`, flac.subarray(0, length))
    const song = await mpegFrames()
    const picture = Buffer.from('\0image/jpeg\0\u0003\0', 'latin1')
    const named = (title: string): Buffer[] => [text('TIT2', title), text('TALB', 'Covers')]
    putFile(
      folder,
      'Claimed.mp3',
      Buffer.concat([id3([...named('Claimed'), frame('APIC', picture, 100 * MEBIBYTE)]), song]),
    )
    const real = putFile(
      folder,
      'Real.mp3',
      id3([...named('Real'), frame('APIC', picture, 100 * MEBIBYTE)], 101 * MEBIBYTE),
    )
    truncateSync(real, 101 * MEBIBYTE)
    writeFileSync(real, song, { flag: 'a' })
    const broken = [
      codeUnits('TIT2', [0x41, 0xd800, 0x42]),
      codeUnits('TALB', [0xdc00, 0x43]),
      text('TPE1', 'D\u0001\0E'),
    ]
    putFile(folder, 'Broken.mp3', Buffer.concat([id3(broken), song]))
    t.match(await scan(), { status: 'completed', itemsFound: 7, itemsAdded: 7 })
    const found = await items()
    t.match(found.get('Good.flac'), { name: 'Good', probeError: null })
    for (const [path, item] of found) t.ok(item.probeError !== null || item.durationSeconds !== null, path)
    const told = JSON.stringify([...found.values(), await albumsOf(db)])
    t.notMatch(told, /\\u0000|\\ud[89a-f]/i)
    t.match(await scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
    t.strictSame([...(await items()).keys()], [...found.keys()])
  },
)
