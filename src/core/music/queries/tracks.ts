import { sql } from 'slonik'
import { z } from 'zod'
import type { Page } from '../../catalogue/index.ts'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import type { Track } from '../track.ts'

export const TrackRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  artist: z.string().nullable(),
  album: z.string().nullable(),
  year: z.number().nullable(),
  trackNumber: z.number().nullable(),
  discNumber: z.number().nullable(),
  durationSeconds: z.number().nullable(),
  metadata: z.record(z.string(), z.unknown()),
})

/** The year of the album `a`: of its first track with a year, else of a provider. */
export const albumYear = sql.fragment`coalesce((
  select y.year from music_tracks y where y.album_id = a.id and y.year is not null
  order by y.disc_number, y.track_number, y.media_item_id limit 1), left(a.metadata->>'release_date', 4)::integer)`

/** Columns of the track `t`, its item `i`, its album `a` and the artist `r` of the album, without the year. */
export const trackColumns = sql.fragment`
  i.id, i.name, coalesce(t.artist, r.name) as artist, a.title as album, t.track_number, t.disc_number, i.duration_seconds,
  jsonb_build_object('genres', coalesce(i.local_metadata->'genres', i.metadata->'genres')) as metadata`

const joins = sql.fragment`
  left join music_tracks t on t.media_item_id = i.id
  left join music_albums a on a.id = t.album_id
  left join music_artists r on r.id = t.artist_id`

const year = sql.fragment`case when a.id is null then coalesce(t.year, i.year) else ${albumYear} end as year`

/** Every song is an item of this type (`media_items_listened_and_read`). */
const isTrack = sql.fragment`i.type = 'audio' and i.role is null`

export async function countTracks(connection: Connection): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) from media_items i where ${isTrack}`)
}

/** The page is selected by the index alone; only its rows are read. */
export async function selectTracks(connection: Connection, { limit, offset }: Page): Promise<Track[]> {
  const rows = await connection.any(sql.type(TrackRow)`
    select ${trackColumns}, ${year}
    from (
      select i.id from media_items i where ${isTrack} order by i.sort_key, i.id limit ${limit} offset ${offset}
    ) page
    join media_items i on i.id = page.id ${joins}
    order by i.sort_key, i.id`)
  return [...rows]
}

export async function selectTrack(connection: Connection, id: string): Promise<Track | undefined> {
  const row = await connection.maybeOne(sql.type(TrackRow)`
    select ${trackColumns}, ${year} from media_items i ${joins} where i.id = ${id} and ${isTrack}`)
  return row ?? undefined
}
