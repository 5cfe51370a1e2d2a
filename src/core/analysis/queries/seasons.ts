import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

const SeasonRow = z.strictObject({ seasonId: z.string(), inputHash: z.instanceof(Buffer) })

/** A season whose episodes changed since its markers were found. */
export type ChangedSeason = z.infer<typeof SeasonRow>

export type SeasonSelection = Readonly<{
  libraryId: string
  itemId: string | null
  /** Seasons that were compared before this time are compared again; null: only changed seasons are compared. */
  notBefore: Date | null
}>

/** The sound of the episodes that are there, and of their other versions. */
const episodesWhere = (condition: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  select coalesce(i.parent_id, p.parent_id) as season_id, i.id as item_id, a.analysed_at, i.season_number, i.episode_number, i.path,
    i.duration_seconds, i.size_bytes, i.modified_ns, a.fingerprint, a.language, i.library_id
  from media_items i
  left join media_items p on p.id = i.primary_id
  join file_analyses a on a.media_item_id = i.id and a.feature = 'fingerprint' and a.size_bytes = i.size_bytes
    and a.modified_ns = i.modified_ns
  where i.type = 'episode' and i.path is not null and i.missing_since is null and i.role is distinct from 'extra'
    and i.role is distinct from 'part' and ${condition}`

function changed({ libraryId, itemId, notBefore }: SeasonSelection): FragmentSqlToken {
  const isSelected =
    itemId === null
      ? sql.fragment`true`
      : sql.fragment`(${itemId}::uuid in (e.season_id, e.item_id) or exists (
          select 1 from media_items s where s.id = e.season_id and s.parent_id = ${itemId})
          or exists (select 1 from media_items v where v.id = e.item_id and v.primary_id = ${itemId}))`
  const isRecent = notBefore === null ? sql.fragment`true` : sql.fragment`a.analysed_at >= ${sql.timestamp(notBefore)}`
  const isChanged = sql.fragment`not exists (
    select 1 from season_analyses a
    where a.season_id = hashed.season_id and a.input_hash = hashed.input_hash and ${isRecent})`
  return sql.fragment`
    select season_id, input_hash from (
      select e.season_id, bool_or(${isSelected}) as is_selected,
        sha256(string_agg(e.item_id::text || e.analysed_at::text, ',' order by e.item_id)::bytea) as input_hash
      from (${episodesWhere(sql.fragment`i.library_id = ${libraryId}`)}) as e
      where e.season_id is not null group by e.season_id
    ) as hashed where is_selected and ${isChanged}`
}

/** The seasons to compare, by id. The statement reads all analysed episodes of the library. */
export async function selectChangedSeasons(
  connection: Connection,
  selection: SeasonSelection,
): Promise<ChangedSeason[]> {
  const rows = await connection.any(sql.type(SeasonRow)`${changed(selection)} order by season_id`)
  return [...rows]
}

/** Whether a library has a season with episodes that were analysed after its last comparison. */
export async function hasNewEpisodes(connection: Connection, libraryId: string): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from file_analyses a
    join media_items i on i.id = a.media_item_id and i.library_id = ${libraryId} and i.missing_since is null
    left join media_items p on p.id = i.primary_id
    left join season_analyses s on s.season_id = coalesce(i.parent_id, p.parent_id)
    where a.feature = 'fingerprint' and a.size_bytes = i.size_bytes and a.modified_ns = i.modified_ns
      and i.role is distinct from 'extra' and i.role is distinct from 'part' and coalesce(i.parent_id, p.parent_id) is not null
      and (s.season_id is null or s.analysed_at < a.analysed_at)
    limit 1`)
}

const EpisodeRow = z.strictObject({
  itemId: z.string(),
  path: z.string(),
  sizeBytes: z.number(),
  modifiedAtNanoseconds: z.string(),
  durationSeconds: z.number().nullable(),
  /** Null for a film without sound. */
  fingerprint: z.instanceof(Buffer).nullable(),
  language: z.string().nullable(),
  /** Whether it took part in the last comparison of the season. */
  isCompared: z.boolean(),
})

export type EpisodeRow = z.infer<typeof EpisodeRow>

/** The episodes of a season in order, other versions after the episode itself. */
export async function selectEpisodes(connection: Connection, seasonId: string): Promise<EpisodeRow[]> {
  const isOfSeason = sql.fragment`(i.parent_id = ${seasonId}
    or (i.parent_id is null and i.primary_id in (select id from media_items where parent_id = ${seasonId})))`
  const rows = await connection.any(sql.type(EpisodeRow)`
    select e.item_id, e.path, e.size_bytes, e.modified_ns::text as modified_at_nanoseconds, e.duration_seconds, e.fingerprint,
      e.language, coalesce(e.analysed_at <= s.analysed_at, false) as is_compared
    from (${episodesWhere(isOfSeason)}) as e left join season_analyses s on s.season_id = ${seasonId}
    order by e.season_number, e.episode_number, e.item_id`)
  return [...rows]
}

/** Records what the markers of a season were made of. Writes nothing if the season was removed meanwhile. */
export async function writeSeasonAnalysis(
  connection: Connection,
  { seasonId, inputHash, now }: ChangedSeason & { now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into season_analyses (season_id, input_hash, analysed_at)
    select i.id, ${sql.binary(inputHash)}, ${sql.timestamp(now)} from media_items i where i.id = ${seasonId}
    on conflict (season_id) do update set input_hash = excluded.input_hash, analysed_at = excluded.analysed_at`)
}
