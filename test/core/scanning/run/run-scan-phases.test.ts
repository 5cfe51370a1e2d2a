import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { getItem } from '../../../../src/core/catalogue/index.ts'
import { findLatestScan, listScanFailures, queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { asUnprivilegedUser, canStartThreadsAs, ownerOfSocket } from '../../../support/unprivileged-user.ts'
import { countRows, putNoise, putSample, scannedLibrary } from '../../../support/scanning.ts'

void t.test('a scan creates an item for every film, with facts from its name and streams', async (t) => {
  const { db, folder, scan, items } = await scannedLibrary(t)
  await putSample(folder, 'Arrival (2016)/Arrival (2016).mp4', 'film-mp4')
  await putSample(folder, 'The Third Man (1949).mkv', 'film-mkv')
  writeFileSync(join(folder, 'notes.txt'), 'not a film')
  writeFileSync(join(folder, 'Arrival (2016)/poster.jpg'), 'not a film')
  const job = await scan()
  t.match(job, { status: 'completed', error: null, itemsFound: 2, itemsAdded: 2, itemsUpdated: 2, itemsRemoved: 0 })
  t.match(job, { itemsFailed: 0, currentPath: null, startedAt: Date, completedAt: Date })
  const found = await items()
  t.strictSame([...found.keys()].toSorted(), ['Arrival (2016)/Arrival (2016).mp4', 'The Third Man (1949).mkv'])
  const arrival = await getItem({ db }, found.get('Arrival (2016)/Arrival (2016).mp4')?.id ?? '')
  t.match(arrival, { type: 'movie', name: 'Arrival', sortTitle: 'Arrival', year: 2016, probeError: null })
  t.match(arrival, {
    metadata: { title: 'Arrival', year: 2016, source: { width: 640, height: 360, videoCodec: 'h264' } },
  })
  t.ok(Math.abs((arrival.durationSeconds ?? 0) - 20) < 0.2)
  t.match(arrival.streams, [
    { type: 'video', codec: 'h264', width: 640 },
    { type: 'audio', codec: 'aac', channels: 2 },
  ])
  t.match(found.get('The Third Man (1949).mkv'), { name: 'The Third Man', sortTitle: 'Third Man', year: 1949 })
})

void t.test('a second scan of an unchanged library opens no file and changes no row', async (t) => {
  const { folder, scan, items, services } = await scannedLibrary(t)
  await putSample(folder, 'a/A (2001).mp4')
  await putSample(folder, 'b/B (2002).mp4')
  await scan()
  const before = await items()
  t.match(await scan(), { status: 'completed', itemsFound: 2, itemsAdded: 0, itemsUpdated: 2 })
  t.strictSame(services.probed, [])
  t.strictSame(await items(), before)
  t.match(await scan('rescan'), { status: 'completed', itemsFound: 2, itemsAdded: 0, itemsUpdated: 2, itemsRemoved: 0 })
  t.strictSame(services.probed, [])
  t.strictSame(await items(), before)
})

void t.test('only new and changed files are read; a changed one keeps its row', async (t) => {
  const { folder, scan, items, services } = await scannedLibrary(t)
  const same = await putSample(folder, 'Same.mp4')
  const changed = await putSample(folder, 'Changed.mp4')
  await scan()
  const before = await items()
  await putSample(folder, 'Changed.mp4', 'film-silent-mp4')
  const added = await putSample(folder, 'New.mp4')
  t.match(await scan(), { itemsFound: 3, itemsAdded: 1, itemsUpdated: 3 })
  t.strictSame(services.probed.toSorted(), [changed, added].toSorted())
  const after = await items()
  t.equal(after.get('Changed.mp4')?.id, before.get('Changed.mp4')?.id)
  t.not(after.get('Changed.mp4')?.sizeBytes, before.get('Changed.mp4')?.sizeBytes)
  t.strictSame(after.get('Same.mp4'), before.get('Same.mp4'))
  utimesSync(same, new Date(), new Date(Date.parse('2020-01-01')))
  await scan()
  t.strictSame(services.probed, [same], 'a new modification time alone is a change')
})

void t.test('a scan marks missing files and never removes them; a returned file is present again', async (t) => {
  const { folder, scan, items, services } = await scannedLibrary(t)
  const path = await putSample(folder, 'a/A.mp4')
  const whole = await putSample(folder, 'whole/folder/B.mp4')
  await putSample(folder, 'a/C.mp4')
  await scan()
  renameSync(path, `${folder}/../hidden-a.mp4`)
  t.teardown(() => rmSync(`${folder}/../hidden-a.mp4`, { force: true }))
  rmSync(join(folder, 'whole'), { recursive: true })
  const job = await scan()
  t.match(job, { status: 'completed', itemsFound: 1, itemsRemoved: 0 })
  const gone = await items()
  t.equal(gone.size, 3)
  t.strictSame(gone.get('a/A.mp4')?.missingSince, job.startedAt)
  t.strictSame(gone.get('whole/folder/B.mp4')?.missingSince, job.startedAt)
  t.equal(gone.get('a/C.mp4')?.missingSince, null)
  renameSync(`${folder}/../hidden-a.mp4`, path)
  await putSample(folder, 'whole/folder/B.mp4')
  await scan()
  const back = await items()
  t.equal(back.get('a/A.mp4')?.missingSince, null)
  t.equal(back.get('whole/folder/B.mp4')?.missingSince, null)
  t.equal(back.get('whole/folder/B.mp4')?.id, gone.get('whole/folder/B.mp4')?.id)
  t.strictSame(services.probed, [whole], 'the same file is not read again, a new copy is')
})

void t.test('a rescan removes missing files with their streams, and nothing else', async (t) => {
  const { db, folder, scan, items } = await scannedLibrary(t)
  const gone = await putSample(folder, 'a/Gone.mp4')
  await putSample(folder, 'a/Here.mp4')
  await putSample(folder, 'b/There.mp4')
  await scan()
  const before = await items()
  rmSync(gone)
  t.match(await scan('rescan'), { status: 'completed', itemsFound: 2, itemsRemoved: 1, itemsAdded: 0 })
  before.delete('a/Gone.mp4')
  t.strictSame(await items(), before)
  t.match(await countRows(db), { items: 2, streams: 4 })
  rmSync(join(folder, 'b'), { recursive: true })
  t.match(await scan('rescan'), { itemsRemoved: 1 })
  t.match(await countRows(db), { items: 1, folders: 2 })
})

void t.test('a moved file keeps its row on a rescan', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t)
  await putSample(folder, 'old/place/Moved.mp4')
  await putSample(folder, 'Other.mp4', 'film-silent-mp4')
  await scan()
  const { id, addedAt } = (await items()).get('old/place/Moved.mp4') ?? {}
  mkdirSync(join(folder, 'new'))
  renameSync(join(folder, 'old/place/Moved.mp4'), join(folder, 'new/Moved.mp4'))
  t.match(await scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
  const after = await items()
  t.strictSame([...after.keys()].toSorted(), ['Other.mp4', 'new/Moved.mp4'])
  t.match(after.get('new/Moved.mp4'), { id, addedAt, missingSince: null })
  t.match(await scan(), { itemsAdded: 0 }, 'and it stays so')
  t.match(await scan('rescan'), { itemsAdded: 0, itemsRemoved: 0 })
})

void t.test('a move that a scan saw first is still a move for the next rescan', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t)
  const old = await putSample(folder, 'old/Moved.mp4')
  await scan()
  const { id } = (await items()).get('old/Moved.mp4') ?? {}
  mkdirSync(join(folder, 'new'))
  renameSync(old, join(folder, 'new/Moved.mp4'))
  t.match(await scan(), { itemsAdded: 1 })
  t.equal((await items()).size, 2, 'both are listed until then')
  t.match(await scan('rescan'), { status: 'completed', itemsRemoved: 0 })
  t.strictSame(
    [...(await items()).entries()].map(([path, item]) => [path, item.id]),
    [['new/Moved.mp4', id]],
  )
})

void t.test('a copy is not a move, and a move under a new name is a new film', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t)
  const original = await putSample(folder, 'a/Film.mp4')
  await scan()
  const first = (await items()).get('a/Film.mp4')?.id
  await putSample(folder, 'b/Film.mp4')
  await scan('rescan')
  const second = (await items()).get('b/Film.mp4')?.id
  t.equal((await items()).get('a/Film.mp4')?.id, first)
  rmSync(original)
  t.match(await scan('rescan'), { itemsRemoved: 1 })
  t.equal((await items()).get('b/Film.mp4')?.id, second, 'the copy was there before the original went')
  renameSync(join(folder, 'b/Film.mp4'), join(folder, 'b/Movie.mp4'))
  t.match(await scan('rescan'), { itemsRemoved: 1, itemsAdded: 1 })
  t.not((await items()).get('b/Movie.mp4')?.id, second)
})

void t.test('two moved files of one name and size are distinguished by content', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t)
  putNoise(folder, 'a/Film.mp4', 5000)
  putNoise(folder, 'b/Film.mp4', 5000)
  await putSample(folder, 'real-a/Same.mp4')
  await putSample(folder, 'real-b/Same.mp4')
  for (const path of ['real-a/Same.mp4', 'real-b/Same.mp4'])
    utimesSync(join(folder, path), 1000, path.includes('-a') ? 2000 : 3000)
  await scan()
  const before = await items()
  mkdirSync(join(folder, 'c'))
  mkdirSync(join(folder, 'd'))
  renameSync(join(folder, 'real-a/Same.mp4'), join(folder, 'd/Same.mp4'))
  renameSync(join(folder, 'real-b/Same.mp4'), join(folder, 'c/Same.mp4'))
  await scan('rescan')
  const after = await items()
  t.equal(after.get('d/Same.mp4')?.id, before.get('real-a/Same.mp4')?.id)
  t.equal(after.get('c/Same.mp4')?.id, before.get('real-b/Same.mp4')?.id)
})

void t.test('an unreadable file has a row with the reason', async (t) => {
  const { folder, scan, items, services } = await scannedLibrary(t)
  await putSample(folder, 'Noise (1999).mp4', 'noise-mp4')
  await putSample(folder, 'Empty (1998).mp4', 'empty-mp4')
  await putSample(folder, 'List (1997).mp4', 'playlist-as-mp4')
  const good = await putSample(folder, 'Good (1996).mp4')
  const job = await scan()
  t.match(job, { status: 'completed', itemsFound: 4, itemsAdded: 4, itemsUpdated: 4, itemsFailed: 3 })
  const found = await items()
  for (const path of ['Noise (1999).mp4', 'Empty (1998).mp4', 'List (1997).mp4']) {
    t.match(found.get(path), { name: path.slice(0, -11), probeError: /./, durationSeconds: null }, path)
    t.notOk('source' in (found.get(path)?.metadata ?? {}), path)
  }
  const failures = await listScanFailures(services, { scanJobId: job.id })
  t.strictSame(
    failures.map(({ path }) => path),
    ['Empty (1998).mp4', 'List (1997).mp4', 'Noise (1999).mp4'].map((path) => join(folder, path)),
  )
  t.match(failures[0], { code: /./, reason: /./, occurredAt: Date })
  t.match(await scan(), { itemsFailed: 0 })
  t.strictSame(services.probed, [], 'a scan does not retry unchanged files')
  t.match(await scan('rescan'), { itemsFailed: 3 })
  t.equal(services.probed.length, 3, 'a rescan does')
  copyFileSync(good, join(folder, 'Noise (1999).mp4'))
  await scan()
  t.match((await items()).get('Noise (1999).mp4'), { id: found.get('Noise (1999).mp4')?.id, probeError: null })
})

void t.test('names of every kind are scanned; one that is not UTF-8 is reported', async (t) => {
  const { folder, scan, items, services } = await scannedLibrary(t)
  const names = [
    '-i.mp4',
    '--help.mp4',
    'concat:a|b.mp4',
    'http:evil.mp4',
    'Film: part 1.mp4',
    '%s%n%d.mp4',
    `a"b'c\`d$(id);e.mp4`,
    'back\\slash.mp4',
    'line\nbreak.mp4',
    'escape\u001b[2J.mp4',
    'é (2001).mp4'.normalize('NFC'),
    'é (2001).mp4'.normalize('NFD'),
    'override\u202E.mp4',
    '🎬.mp4',
    '<img src=x onerror=1>.mp4',
    '{{7*7}}.mp4',
    '__proto__.mp4',
    'constructor.mp4',
    '%2e%2e%2f.mp4',
    'trailing .mp4',
    'CASE.mp4',
    'case.mp4',
    `${'x'.repeat(250)}.mp4`,
    `${'é'.repeat(125)}.mp4`,
  ]
  for (const name of names) await putSample(folder, name)
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.mp4')]), 'x')
  const job = await scan()
  t.match(job, { status: 'completed', itemsFound: names.length, itemsFailed: 1 })
  t.match(await listScanFailures(services, { scanJobId: job.id }), [
    { code: 'invalid_name', reason: 'name is not UTF-8' },
  ])
  const found = await items()
  t.strictSame([...found.keys()].toSorted(), names.toSorted())
  for (const [path, item] of found) t.equal(item.probeError, null, JSON.stringify(path.slice(0, 40)))
  t.match(await scan(), { itemsAdded: 0 })
})

void t.test('below a folder that cannot be listed nothing counts as gone', async (t) => {
  const { connectionUri, folder, scan, items } = await scannedLibrary(t)
  if (!(await canStartThreadsAs(ownerOfSocket(connectionUri)))) return
  const inside = await putSample(folder, 'closed/inner/A.mp4')
  const beside = await putSample(folder, 'open/B.mp4')
  await scan()
  chmodSync(join(folder, 'closed'), 0)
  rmSync(beside)
  const job = await asUnprivilegedUser(() => scan('rescan'), ownerOfSocket(connectionUri))
  chmodSync(join(folder, 'closed'), 0o755)
  t.match(job, { status: 'completed', error: null, itemsRemoved: 1, itemsFailed: 1 })
  t.match((await items()).get('closed/inner/A.mp4'), { path: inside, missingSince: null })
  t.match(await scan('rescan'), { itemsRemoved: 0, itemsAdded: 0 })
})

void t.test('a file that cannot be opened is kept as unreadable', async (t) => {
  const { connectionUri, folder, scan, items } = await scannedLibrary(t)
  if (!(await canStartThreadsAs(ownerOfSocket(connectionUri)))) return
  chmodSync(await putSample(folder, 'Secret.mp4'), 0)
  t.match(await asUnprivilegedUser(() => scan(), ownerOfSocket(connectionUri)), {
    status: 'completed',
    error: null,
    itemsFailed: 1,
  })
  t.match((await items()).get('Secret.mp4'), { probeError: /./ })
})

void t.test('progress is reported during the scan and ends with the final row', async (t) => {
  const { db, folder, library, services } = await scannedLibrary(t)
  for (let index = 0; index < 5; index += 1) putNoise(folder, `${index}.mp4`)
  const queued = await queueScan(services, { libraryId: library.id, type: 'scan' })
  t.match(queued, { status: 'queued', startedAt: null, completedAt: null, itemsFound: 0 })
  const seen: string[] = []
  const signal = new AbortController().signal
  const job = await runScanJob(services, { scanJobId: queued.id, whenAborted: 'cancel' }, signal, (row) => {
    seen.push(row.status)
    if (row.status !== 'running') return
    // A slow machine may write a batch before the folder is complete; the path is then that of a file, and the folder is not counted yet.
    t.match(row, { id: queued.id })
    t.ok([0, 5].includes(row.itemsFound), `${row.itemsFound} found`)
    t.ok(row.currentPath?.startsWith(folder), row.currentPath ?? 'no path')
  })
  t.ok(seen.includes('running'))
  t.equal(seen.at(-1), 'completed')
  t.strictSame(await findLatestScan({ db }, library.id), job)
})
