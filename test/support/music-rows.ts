import { sql } from 'slonik'
import type { Database } from '../../src/core/platform/database/index.ts'

/** Albums from their rows: `artist / title`, and tracks as `disc.number name` in album order. */
export async function albumsOf(db: Database): Promise<Record<string, string[]>> {
  const rows = (await db.any(sql.unsafe`
    select r.name || ' / ' || coalesce(a.title, '-') as album,
      coalesce(t.disc_number::text, '-') || '.' || coalesce(t.track_number::text, '-') || ' ' || i.name as track
    from music_tracks t join media_items i on i.id = t.media_item_id
    left join music_artists r on r.id = t.artist_id left join music_albums a on a.id = t.album_id
    order by r.sort_key, a.sort_key, a.release_id, t.disc_number, t.track_number, i.sort_key`)) as unknown as {
    album: string | null
    track: string
  }[]
  const albums: Record<string, string[]> = {}
  for (const { album, track } of rows) (albums[album ?? '-'] ??= []).push(track)
  return albums
}

/** Number of rows, including orphans. */
export async function countMusic(db: Database): Promise<{ artists: number; albums: number; tracks: number }> {
  const row: unknown = await db.one(sql.unsafe`
    select (select count(*) from music_artists) as artists, (select count(*) from music_albums) as albums,
      (select count(*) from music_tracks) as tracks`)
  return row as { artists: number; albums: number; tracks: number }
}
