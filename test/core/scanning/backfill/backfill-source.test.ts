import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { getItem, writeItems, type ItemWrite } from '../../../../src/core/catalogue/index.ts'
import { listScanFailures, queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { sampleMedia, type SampleKind } from '../../../support/media.ts'
import { putNoise, putSample, scannedLibrary } from '../../../support/scanning.ts'

const never = new AbortController().signal

/** A library with rows made from names alone, like those of an import. */
async function setup(t: Test) {
  const scanned = await scannedLibrary(t)
  const { db, folder, library, services } = scanned
  const add = async (name: string, row: Partial<ItemWrite> = {}): Promise<string> => {
    const write: ItemWrite = {
      libraryId: library.id,
      type: 'movie',
      name: 'A name of its own',
      sortTitle: 'name of its own',
      year: 1999,
      path: join(folder, name),
      sizeBytes: 1,
      modifiedAtNanoseconds: 1n,
      durationSeconds: null,
      container: null,
      bitrate: null,
      metadata: { title: 'kept', external_ids: { tmdb: '7' } },
      probeError: null,
      canonicalKey: name,
      contentHash: null,
      streams: [],
      ...row,
    }
    const [written] = await writeItems(db, [write], new Date('2026-01-01T00:00:00Z'))
    return written?.id ?? ''
  }
  const backfill = async (limit?: number) => {
    const input = { libraryId: library.id, type: 'source_backfill', limit } as const
    const { id } = await queueScan(services, input)
    return runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never)
  }
  return { ...scanned, add, backfill }
}

void t.test(
  'items that were never read get their source profile, streams and duration; nothing else changes',
  async (t) => {
    const { db, folder, add, backfill } = await setup(t)
    await putSample(folder, 'x.mkv', 'film-tracks-mkv')
    const id = await add('x.mkv')
    t.match(await backfill(), {
      type: 'source_backfill',
      status: 'completed',
      itemsFound: 1,
      itemsUpdated: 1,
      itemsFailed: 0,
      itemsAdded: 0,
      itemsRemoved: 0,
    })
    const item = await getItem({ db }, id)
    t.match(item, {
      name: 'A name of its own',
      year: 1999,
      metadata: {
        title: 'kept',
        external_ids: { tmdb: '7' },
        source: { width: 320, height: 180, videoCodec: 'h264', audioCodec: 'aac', pixelFormat: 'yuv420p' },
      },
      container: 'mkv',
      probeError: null,
      streams: [{ type: 'video' }, { type: 'audio', language: 'eng' }, { type: 'audio' }, { type: 'subtitle' }],
      chapters: [{ title: 'Opening' }, { title: 'The rest' }],
    })
    t.ok((item.durationSeconds ?? 0) > 3.9)
    t.match(await backfill(), { status: 'completed', itemsFound: 0, itemsUpdated: 0 }, 'again there is nothing to do')
  },
)

void t.test('audio without a duration counts as unread; photos and books are skipped', async (t) => {
  const { db, folder, add, backfill } = await setup(t)
  const put = async (name: string, kind: SampleKind, row: Partial<ItemWrite>) => {
    await putSample(folder, name, kind)
    return add(name, row)
  }
  const song = await put('song.mp3', 'song-mp3', { type: 'audio' })
  await put('read.mp3', 'song-mp3', { type: 'audio', durationSeconds: 3 })
  const photo = await put('photo.jpg', 'photo-jpg', { type: 'photo' })
  await put('book.epub', 'photo-jpg', { type: 'book' })
  t.match(await backfill(), { itemsFound: 1, itemsUpdated: 1 })
  const { durationSeconds, metadata, streams } = await getItem({ db }, song)
  t.ok((durationSeconds ?? 0) > 2.9)
  t.notOk('source' in metadata)
  t.equal(streams.length, 1)
  t.match(await getItem({ db }, photo), { durationSeconds: null, streams: { length: 0 } })
  t.match(await backfill(), { itemsFound: 0 })
})

void t.test('unreadable files are listed, keep their reason and come last in the next run', async (t) => {
  const { db, folder, services, add, backfill } = await setup(t)
  for (const name of ['a.mkv', 'b.mkv', 'c.mkv']) {
    putNoise(folder, name)
    await add(name)
  }
  const job = await backfill()
  t.match(job, { status: 'completed', itemsFound: 3, itemsUpdated: 3, itemsFailed: 3 })
  const failures = await listScanFailures(services, { scanJobId: job.id })
  t.match(failures, [{ path: join(folder, 'a.mkv'), code: 'unreadable_media', reason: String }, {}, {}])
  await putSample(folder, 'd.mkv')
  const good = await add('d.mkv')
  t.match(
    await backfill(1),
    { itemsFound: 1, itemsUpdated: 1, itemsFailed: 0 },
    'unreadable files do not use up the limit',
  )
  t.match(await getItem({ db }, good), { probeError: null, durationSeconds: Number })
  const again = await backfill()
  t.match(again, { itemsFound: 3, itemsUpdated: 3, itemsFailed: 3 }, 'each is tried once')
})

void t.test('files that were removed, are outside the library or cannot be opened are skipped', async (t) => {
  const { db, folder, add, backfill } = await setup(t)
  await add('gone.mkv')
  const outside = await add('x', { path: '/etc/hostname' })
  symlinkSync(await sampleMedia('film-tiny-mp4'), join(folder, 'link.mp4'))
  const link = await add('link.mp4')
  const missing = await add('missing.mkv')
  await db.query(sql.unsafe`update media_items set missing_since = now() where id = ${missing}`)
  t.match(await backfill(), { status: 'completed', itemsFound: 3, itemsUpdated: 3, itemsFailed: 1 })
  t.match(await getItem({ db }, link), { durationSeconds: null, probeError: String }, 'a link that leads out')
  t.match(await getItem({ db }, outside), { durationSeconds: null, probeError: null })
})

void t.test('an interrupted backfill continues where it stopped', async (t) => {
  const { folder, library, services, add, backfill } = await setup(t)
  for (let index = 0; index < 8; index += 1) {
    await putSample(folder, `${index}.mp4`)
    await add(`${index}.mp4`)
  }
  const stopping = new AbortController()
  const { id } = await queueScan(services, { libraryId: library.id, type: 'source_backfill' })
  const stopped = await runScanJob(services, { scanJobId: id, whenAborted: 'requeue' }, stopping.signal, (job) => {
    if (job.itemsUpdated >= 4) stopping.abort()
  })
  t.match(stopped, { id, status: 'queued' })
  const rest = await backfill()
  t.match(rest, { id, status: 'completed' }, 'the same job')
  t.ok(rest.itemsFound > 0 && rest.itemsFound < 8, 'files that were read are not read again')
  rmSync(join(folder, '0.mp4'))
  t.match(await backfill(), { itemsFound: 0 })
})

void t.test('scans store the key frames of MP4, and a backfill determines missing ones', async (t) => {
  const { db, folder, backfill, scan } = await setup(t)
  await putSample(folder, 'a.mp4', 'film-tiny-mp4')
  await putSample(folder, 'b.mkv', 'film-tracks-mkv')
  await putSample(folder, 'c.mkv', 'film-hevc-mkv')
  await putSample(folder, 'd.ts', 'film-ts')
  await scan()
  const indexed = async () => {
    const rows = await db.anyFirst(sql.unsafe`
      select i.path from stream_indexes x join media_items i on i.id = x.media_item_id order by i.path`)
    return (rows as string[]).map((path) => path.slice(folder.length + 1))
  }
  t.strictSame(await indexed(), ['a.mp4'])
  t.match(await backfill(1), { status: 'completed', itemsFound: 1, itemsUpdated: 1 })
  t.match(await backfill(), { status: 'completed', itemsFound: 1, itemsUpdated: 1 })
  t.strictSame(await indexed(), ['a.mp4', 'b.mkv', 'd.ts'], 'only for videos that could be copied')
  t.match(await backfill(), { status: 'completed', itemsFound: 0, itemsUpdated: 0 })
})
