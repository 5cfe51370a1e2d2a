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

/** The playable items at or below an item, in random order. Items without a file are left out. */
export async function selectShuffled(
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
