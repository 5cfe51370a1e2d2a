import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'

const EpisodeRow = z.strictObject({
  seasonNumber: z.number(),
  episodeNumber: z.number(),
  endingEpisodeNumber: z.number(),
})

/** Numbered episodes of a series or season, by their numbers; a file with several episodes has an end number. */
export async function selectEpisodeNumbers(
  connection: Connection,
  itemId: string,
): Promise<z.infer<typeof EpisodeRow>[]> {
  const rows = await connection.any(sql.type(EpisodeRow)`
    select distinct e.season_number, e.episode_number, coalesce(e.ending_episode_number, e.episode_number) as ending_episode_number
    from media_items e
    where (e.parent_id = ${itemId} or e.parent_id in (select s.id from media_items s where s.parent_id = ${itemId}))
      and e.type = 'episode' and e.role is null and e.season_number is not null and e.episode_number is not null
    order by 1, 2, 3`)
  return [...rows]
}

/**
 * The place of an episode `e` in its series: by season and number. Daily shows have no numbers: they are ordered by day, after numbered
 * episodes, and within a day by name. `day` is null for an episode with neither number nor day.
 */
export const episodeOrderColumns = sql.fragment`
  e.season_number as season, coalesce(e.episode_number, 2147483647) as number,
  case when e.episode_number is not null then ''
    else coalesce(e.local_metadata->>'air_date', e.metadata->>'air_date') end collate "C" as day,
  case when e.episode_number is null then e.sort_key else '' end as title`

/** The present episode after an episode, in the order of its series; a special is followed by specials only. */
export async function selectNextEpisode(connection: Connection, itemId: string): Promise<string | undefined> {
  const id = await connection.maybeOneFirst(sql.type(IdRow)`
    with this as (
      select coalesce(p.parent_id, p.id) as series_id, ${episodeOrderColumns}
      from media_items e join media_items p on p.id = e.parent_id where e.id = ${itemId} and e.type = 'episode')
    select next.id from this cross join lateral (
      select e.id, ${episodeOrderColumns} from media_items e
      where e.parent_id in (select this.series_id union all select c.id from media_items c where c.parent_id = this.series_id)
        and e.type = 'episode' and e.role is null and e.missing_since is null and (e.season_number > 0) = (this.season > 0)) next
    where next.day is not null and (next.season, next.number, next.day, next.title) > (this.season, this.number, this.day, this.title)
    order by next.season, next.number, next.day, next.title, next.id limit 1`)
  return id ?? undefined
}

/** The playable items at or below an item, in random order. Items without a file are left out. */
export async function selectShuffledItems(
  connection: Connection,
  { itemId, limit }: { itemId: string; limit: number },
): Promise<string[]> {
  const ids = await connection.anyFirst(sql.type(IdRow)`
    with recursive below (id, depth) as (
      select ${itemId}::uuid, 0
      union all select c.id, b.depth + 1 from below b join media_items c on c.parent_id = b.id where b.depth < 4)
    select i.id from below b join media_items i on i.id = b.id
    where i.role is null and i.missing_since is null and i.path is not null order by random() limit ${limit}`)
  return [...ids]
}
