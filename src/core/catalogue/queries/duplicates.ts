import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { totalSeconds } from './total-seconds.ts'

/** Types that can be in a library twice and can be played. */
export const MERGEABLE_TYPES = ['movie', 'video', 'episode'] as const

const DuplicatePairRow = z.strictObject({ id: z.string(), key: z.string() })

/**
 * Listed items that share a key with another one, one row per shared key. Episodes are identified by their series (its ids, or its name
 * and year) and their numbers. A name without a year is no key: every family has a film called Summer.
 */
export async function selectDuplicatePairs(
  connection: Connection,
  { libraryId, limit }: { libraryId: string; limit: number },
): Promise<readonly z.infer<typeof DuplicatePairRow>[]> {
  return connection.any(sql.type(DuplicatePairRow)`
    with listed as materialized (
      select i.id, i.type, i.content_hash, i.size_bytes, i.search_name, i.year,
        i.metadata -> 'external_ids' as ids, i.local_metadata -> 'external_ids' as local_ids,
        coalesce(above.parent_id, above.id) as series_id,
        ':' || i.season_number || ':' || i.episode_number || ':' || coalesce(i.ending_episode_number, i.episode_number) as place
      from media_items i left join media_items above on above.id = i.parent_id and i.type = 'episode'
      where i.library_id = ${libraryId} and i.role is null and i.path is not null and i.missing_since is null
        and i.type = any (${sql.array([...MERGEABLE_TYPES], 'text')})),
    named as (
      select id, type, 'content:' || encode(content_hash, 'hex') || ':' || size_bytes as key from listed
      where content_hash is not null and size_bytes > 0
      union all
      select id, type, p.key || ':' || p.value from listed
      cross join lateral jsonb_each_text(case jsonb_typeof(ids) when 'object' then ids else '{}' end
        || case jsonb_typeof(local_ids) when 'object' then local_ids else '{}' end) p
      where p.value <> ''
      union all
      select id, type, search_name || ' (' || year || ')' from listed where type = 'movie' and year is not null
      union all
      select l.id, l.type, p.key || ':' || p.value || place from listed l join media_items s on s.id = l.series_id
      cross join lateral jsonb_each_text(
        case jsonb_typeof(s.metadata -> 'external_ids') when 'object' then s.metadata -> 'external_ids' else '{}' end
        || case jsonb_typeof(s.local_metadata -> 'external_ids') when 'object' then s.local_metadata -> 'external_ids' else '{}' end) p
      where p.value <> '' and place is not null
      union all
      select l.id, l.type, 'series ' || s.search_name || ' (' || coalesce(s.year::text, '?') || ')' || place
      from listed l join media_items s on s.id = l.series_id where place is not null),
    counted as (select distinct id, type, key from named)
    select id, key from (select id, key, count(*) over (partition by type, key) as copies from counted) c
    where copies > 1 order by key, id limit ${limit}`)
}

const DuplicateCopyRow = z.strictObject({
  id: z.string(),
  type: z.enum(MERGEABLE_TYPES),
  name: z.string(),
  year: z.number().nullable(),
  seasonNumber: z.number().nullable(),
  episodeNumber: z.number().nullable(),
  path: z.string(),
  sizeBytes: z.number(),
  durationSeconds: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  addedAt: z.date(),
})

/** One of several items that are the same film or episode. */
export type DuplicateCopy = z.infer<typeof DuplicateCopyRow>

/** By item id; widest picture first, then the largest file, then the one added first, then by path. */
export async function selectDuplicateCopies(
  connection: Connection,
  ids: readonly string[],
): Promise<readonly DuplicateCopy[]> {
  return connection.any(sql.type(DuplicateCopyRow)`
    select i.id, i.type, i.name, i.year, i.season_number, i.episode_number, i.path, i.size_bytes, ${totalSeconds} as duration_seconds,
      s.width, s.height, i.added_at
    from media_items i left join lateral (
      select width, height from media_streams where media_item_id = i.id and stream_type = 'video' order by stream_index limit 1) s on true
    where i.id = any (${sql.array([...ids], 'uuid')}) and i.path is not null
    order by s.width desc nulls last, i.size_bytes desc, i.added_at, i.path collate "C"`)
}
