import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import type { Photo, PhotoAlbum, PhotoDetail, PhotoMonth, TimelinePhoto } from '../photo.ts'

const PhotoRow = z.strictObject({
  id: z.string(),
  libraryId: z.string(),
  name: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  takenAt: z.number(),
  takenLocal: z.string(),
  cameraMake: z.string().nullable(),
  cameraModel: z.string().nullable(),
})

const PhotoDetailRow = PhotoRow.extend({
  path: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  modifiedNanoseconds: z.string().nullable(),
  orientation: z.number(),
  exif: z.record(z.string(), z.union([z.string(), z.number()])),
})

const AlbumRow = z.strictObject({ date: z.string(), photoCount: z.number(), coverPhotoId: z.string() })

const MonthRow = z.strictObject({ month: z.string(), photoCount: z.number() })

const TimelineRow = z.strictObject({
  id: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  takenAt: z.number(),
  date: z.string(),
})

/** `libraryId`: of this library only; `date`: of this day only; `month`: `2024-05`, of this month only. */
type PhotoFilter = { libraryId?: string | undefined; date?: string | undefined; month?: string | undefined }

type Page = { limit: number; offset: number }

const photoColumns = sql.fragment`
  p.media_item_id as id, p.library_id, i.name, p.width, p.height, p.taken_at, to_char(p.taken_local, 'YYYY-MM-DD HH24:MI:SS') as taken_local,
  p.exif->>'camera_make' as camera_make, p.exif->>'camera_model' as camera_model`

export async function selectPhoto(connection: Connection, id: string): Promise<PhotoDetail | undefined> {
  const row = await connection.maybeOne(sql.type(PhotoDetailRow)`
    select ${photoColumns}, i.path, i.size_bytes, i.modified_ns::text as modified_nanoseconds, p.orientation, p.exif
    from photos p join media_items i on i.id = p.media_item_id where p.media_item_id = ${id}`)
  return row ?? undefined
}

/** The photos of a day ordered by time, or all photos, the newest first. */
export async function selectPhotos(connection: Connection, filter: PhotoFilter & Page): Promise<Photo[]> {
  const direction = filter.date === undefined ? sql.fragment`desc` : sql.fragment`asc`
  const rows = await connection.any(sql.type(PhotoRow)`
    with page as (
      select p.media_item_id, p.taken_at from photos p where ${whereOf(filter)}
      order by p.taken_at ${direction}, p.media_item_id ${direction} limit ${filter.limit} offset ${filter.offset}
    )
    select ${photoColumns} from page
    join photos p on p.media_item_id = page.media_item_id
    join media_items i on i.id = p.media_item_id
    order by page.taken_at ${direction}, page.media_item_id ${direction}`)
  return [...rows]
}

export async function countPhotos(connection: Connection, filter: PhotoFilter): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) from photos p where ${whereOf(filter)}`)
}

/** The newest days first; only the days of the page are counted. */
export async function selectPhotoAlbums(connection: Connection, filter: PhotoFilter & Page): Promise<PhotoAlbum[]> {
  const rows = await connection.any(sql.type(AlbumRow)`
    with days as (
      select p.local_date, count(*) as photo_count from photos p where ${whereOf(filter)}
      group by p.local_date order by p.local_date desc limit ${filter.limit} offset ${filter.offset}
    )
    select d.local_date::text as date, d.photo_count, first.media_item_id as cover_photo_id
    from days d
    cross join lateral (
      select p.media_item_id from photos p where ${whereOf(filter)} and p.local_date = d.local_date
      order by p.taken_at, p.media_item_id limit 1
    ) first
    order by d.local_date desc`)
  return [...rows]
}

/** The months that have photos, the newest first. Index photos_by_day or photos_by_day_everywhere. */
export async function selectMonths(connection: Connection, filter: PhotoFilter): Promise<PhotoMonth[]> {
  const rows = await connection.any(sql.type(MonthRow)`
    select to_char(days.month, 'YYYY-MM') as month, sum(days.photos)::int8 as photo_count
    from (
      select date_trunc('month', p.local_date) as month, count(*) as photos from photos p where ${whereOf(filter)} group by p.local_date) days
    group by days.month order by days.month desc`)
  return [...rows]
}

/** A page of the photos of a month, the newest day first. */
export async function selectTimeline(connection: Connection, filter: PhotoFilter & Page): Promise<TimelinePhoto[]> {
  const rows = await connection.any(sql.type(TimelineRow)`
    select p.media_item_id as id, p.width, p.height, p.taken_at, p.local_date::text as date from photos p where ${whereOf(filter)}
    order by p.local_date desc, p.taken_at desc, p.media_item_id desc limit ${filter.limit} offset ${filter.offset}`)
  return [...rows]
}

function whereOf({ libraryId, date, month }: PhotoFilter): FragmentSqlToken {
  const conditions = [sql.fragment`p.is_listed`]
  if (libraryId !== undefined) conditions.push(sql.fragment`p.library_id = ${libraryId}`)
  if (date !== undefined) conditions.push(sql.fragment`p.local_date = ${date}::date`)
  if (month !== undefined) {
    const first = sql.fragment`${`${month}-01`}::date`
    conditions.push(sql.fragment`p.local_date >= ${first} and p.local_date < (${first} + interval '1 month')::date`)
  }
  return sql.fragment`${sql.join(conditions, sql.fragment` and `)}`
}
