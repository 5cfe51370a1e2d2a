import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import type { SharedItem } from '../share.ts'

/** The types of shareable items. A series or season includes its episodes. */
const shareableTypes = sql.fragment`('movie', 'series', 'season', 'episode', 'video', 'audio', 'image')`

/** Maximum depth: a part of a film on a disc, below a season of a series. The limit also ends a cycle. */
const DEEPEST = 8

/** Which of these items can be shared, in the given order. Extras, versions and parts of films follow the item that they belong to. */
export async function selectShareableItemIds(
  connection: Connection,
  ids: readonly string[],
  { anyType = false }: { anyType?: boolean } = {},
): Promise<string[]> {
  const isWanted = anyType ? sql.fragment`true` : sql.fragment`i.type in ${shareableTypes}`
  const rows = await connection.anyFirst(sql.type(IdRow)`
    select i.id from unnest(${sql.array([...ids], 'uuid')}) with ordinality as wanted (id, place)
    join media_items i on i.id = wanted.id
    where i.role is null and ${isWanted} order by wanted.place`)
  return [...rows]
}

/** The tracks of an album of music, in its order. */
export async function selectTrackIds(connection: Connection, albumId: string): Promise<string[]> {
  const rows = await connection.anyFirst(sql.type(IdRow)`
    select t.media_item_id as id from music_tracks t where t.album_id = ${albumId}
    order by t.disc_number, t.track_number, t.media_item_id`)
  return [...rows]
}

/**
 * Whether a link shows an item: the item, the film that it is a further file of, or a season or series above it is listed, and all of them are
 * visible over this connection.
 */
export async function isSharedItem(
  connection: Connection,
  { shareId, itemId }: { shareId: string; itemId: string },
): Promise<boolean> {
  return connection.exists(sql.unsafe`
    with recursive line as (
      select i.id, i.parent_id, i.primary_id, i.role, 0 as depth from media_items i
      where i.id = ${itemId} and (i.role is null or i.role = 'part')
      union all
      select above.id, above.parent_id, above.primary_id, above.role, line.depth + 1
      from line join media_items above on above.id = case when line.role = 'part' then line.primary_id else line.parent_id end
      where (above.role is null or above.role = 'part') and line.depth < ${DEEPEST})
    select 1 from line join share_items s on s.media_item_id = line.id where s.share_id = ${shareId}`)
}

const ItemRow = z.strictObject({
  id: z.string(),
  kind: z.enum(['video', 'audio', 'photo']),
  title: z.string(),
  year: z.number().nullable(),
  seasonNumber: z.number().nullable(),
  episodeNumber: z.number().nullable(),
  artist: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
})

/** The entries of a link that have a file, with all below the listed items, in order. */
export async function selectSharedItems(
  connection: Connection,
  { shareId, limit }: { shareId: string; limit: number },
): Promise<readonly SharedItem[]> {
  return connection.any(sql.type(ItemRow)`
    with recursive tree as (
      select i.id, s.position, 0 as depth from share_items s join media_items i on i.id = s.media_item_id
      where s.share_id = ${shareId} and i.role is null
      union all
      select below.id, tree.position, tree.depth + 1 from tree join media_items below on below.parent_id = tree.id
      where below.role is null and tree.depth < ${DEEPEST}),
    listed as (select id, min(position) as position from tree group by id)
    select i.id, case i.type when 'audio' then 'audio' when 'image' then 'photo' else 'video' end as kind,
      coalesce(i.episode_title, i.name) as title, i.year, i.season_number, i.episode_number, coalesce(t.artist, r.name) as artist,
      i.duration_seconds, p.width, p.height
    from listed join media_items i on i.id = listed.id
    left join music_tracks t on t.media_item_id = i.id
    left join music_artists r on r.id = t.artist_id
    left join photos p on p.media_item_id = i.id
    where i.path is not null and i.missing_since is null and i.type in ${shareableTypes}
    order by listed.position, i.season_number nulls first, i.episode_number, i.sort_key, i.id limit ${limit}`)
}
