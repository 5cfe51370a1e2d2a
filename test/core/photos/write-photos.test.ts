import { sql } from 'slonik'
import t, { type Test } from 'tap'
import type { Database } from '../../../src/core/platform/database/index.ts'
import type { ProbedPhoto } from '../../../src/core/probing/index.ts'
import { transferPhotoData, writePhotos } from '../../../src/core/photos/index.ts'
import { testDatabase } from '../../support/database.ts'

const PLAIN: ProbedPhoto = {
  mime: 'image/jpeg',
  width: 4000,
  height: 3000,
  orientation: 1,
  description: null,
  camera: { make: null, model: null, lens: null, aperture: null, iso: null, shutterSpeed: null, focalLength: null },
  place: null,
  taken: { local: '2024-05-06T23:30:00', offsetMinutes: 120, unixSeconds: 1_715_031_000, source: 'original' },
  contentIdentifier: null,
  motionOffsetBytes: null,
}

/** A database with photo libraries, and items that are distributed over them. */
async function withPictures(
  t: Test,
  count: number,
  libraries = 1,
): Promise<{ db: Database; libraryId: string; ids: string[] }> {
  const { pool: db } = await testDatabase(t)
  const libraryIds = await db.anyFirst(sql.unsafe`
    insert into libraries (name, type, created_at, updated_at)
    select n::text, 'photo', now(), now() from generate_series(1, ${libraries}::int) n returning id`)
  const ids = await db.anyFirst(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
    select (${sql.array(libraryIds.map(String), 'uuid')})[1 + n % ${libraries}::int], 'image', n::text, n::text, now(), now(), now()
    from generate_series(1, ${count}::int) n returning id`)
  return { db, libraryId: String(libraryIds[0]), ids: ids.map(String) }
}

async function rowOf(db: Database, id: string): Promise<Record<string, unknown>> {
  const row = await db.one(sql.unsafe`
    select *, taken_local::text as taken_local from photos where media_item_id = ${id}`)
  return row as Record<string, unknown>
}

void t.test('a day is the local one where the picture was taken, not the one in UTC', async (t) => {
  const { db, ids } = await withPictures(t, 1)
  const [itemId = ''] = ids
  await writePhotos(db, [{ itemId, photo: PLAIN }])
  t.match(await rowOf(db, itemId), {
    localDate: '2024-05-06',
    takenLocal: '2024-05-06 23:30:00',
    takenAt: 1_715_031_000,
  })
})

void t.test('writing again replaces the earlier metadata, and an empty list runs no statement', async (t) => {
  const { db, libraryId, ids } = await withPictures(t, 2)
  const [itemId = '', other = ''] = ids
  await writePhotos(db, [])
  await writePhotos(db, [
    { itemId, photo: { ...PLAIN, place: { latitude: 1, longitude: 2, altitude: null } } },
    { itemId: other, photo: { ...PLAIN, width: null, height: null, motionOffsetBytes: 5_000_000_000 } },
  ])
  t.match(await rowOf(db, itemId), { libraryId, exif: { gps_lat: 1, gps_lng: 2 } })
  t.match(await rowOf(db, other), { width: null, motionOffset: 5_000_000_000 })
  const turned: ProbedPhoto = { ...PLAIN, orientation: 8, camera: { ...PLAIN.camera, iso: 100 } }
  await writePhotos(db, [{ itemId, photo: turned }])
  const { orientation, exif } = await rowOf(db, itemId)
  t.strictSame([orientation, exif], [8, { iso: 100 }])
})

void t.test('a picture is unlisted when it becomes a version of another, and listed again afterwards', async (t) => {
  const { db, ids } = await withPictures(t, 2)
  const [raw = '', picture = ''] = ids
  await writePhotos(db, [{ itemId: raw, photo: PLAIN }])
  t.equal((await rowOf(db, raw))['isListed'], true)
  await db.query(sql.unsafe`update media_items set role = 'version', primary_id = ${picture} where id = ${raw}`)
  t.equal((await rowOf(db, raw))['isListed'], false)
  await writePhotos(db, [{ itemId: raw, photo: PLAIN }])
  t.equal((await rowOf(db, raw))['isListed'], false, 'also when it is read again')
  await db.query(sql.unsafe`update media_items set role = null, primary_id = null where id = ${raw}`)
  t.equal((await rowOf(db, raw))['isListed'], true)
  await db.query(sql.unsafe`delete from media_items where id = ${raw}`)
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from photos`), 0)
})

void t.test('the data read at the new path of a picture wins, unless there is none', async (t) => {
  const { db, ids } = await withPictures(t, 2)
  const [toId = '', fromId = ''] = ids
  await writePhotos(db, [
    { itemId: toId, photo: PLAIN },
    { itemId: fromId, photo: { ...PLAIN, orientation: 3 } },
  ])
  await transferPhotoData(db, { fromId, toId })
  t.match(await rowOf(db, toId), { orientation: 3 })
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from photos`), 1)
  await transferPhotoData(db, { fromId, toId })
  t.match(await rowOf(db, toId), { orientation: 3 })
})

void t.test('days are counted and the newest found in an index, with and without a library', async (t) => {
  const { db, libraryId, ids } = await withPictures(t, 20_000, 20)
  const start = Date.parse('2020-01-01T00:00:00Z') / 1000
  const writes = ids.map((itemId, index) => {
    const unixSeconds = start + Math.floor(index / 1000) * 86_400 + (index % 1000)
    const local = new Date(unixSeconds * 1000).toISOString().slice(0, 19)
    return { itemId, photo: { ...PLAIN, taken: { ...PLAIN.taken, unixSeconds, local } } }
  })
  for (let at = 0; at < writes.length; at += 1000) await writePhotos(db, writes.slice(at, at + 1000))
  await db.query(sql.unsafe`analyze photos`)
  const plans: Record<string, readonly unknown[]> = {
    photos_by_day: await db.anyFirst(sql.unsafe`
      explain select count(*) from photos where is_listed and library_id = ${libraryId} and local_date = '2020-01-05'`),
    photos_by_time: await db.anyFirst(sql.unsafe`
      explain select media_item_id from photos where is_listed and library_id = ${libraryId}
      order by taken_at desc, media_item_id desc limit 50`),
    photos_by_day_everywhere: await db.anyFirst(sql.unsafe`
      explain select count(*) from photos where is_listed and local_date = '2020-01-05'`),
    photos_by_time_everywhere: await db.anyFirst(sql.unsafe`
      explain select media_item_id from photos where is_listed order by taken_at desc, media_item_id desc limit 50`),
  }
  for (const [index, lines] of Object.entries(plans)) {
    const plan = lines.join('\n')
    t.match(plan, new RegExp(`Scan (?:Backward )?(?:using|on) ${index} `), plan)
    t.notMatch(plan, /Sort|Seq Scan/)
  }
})
