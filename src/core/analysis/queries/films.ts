import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import { ANALYSIS_FEATURES, type AnalysisFeature } from '../film/analysed-file.ts'
import { isItemOrDescendant } from './is-item-or-descendant.ts'

const FilmRow = z.strictObject({
  itemId: z.string(),
  type: z.enum(['movie', 'episode', 'video']),
  /** The season of the episode; other versions of an episode have the same one. */
  seasonId: z.string().nullable(),
  path: z.string(),
  sizeBytes: z.number(),
  modifiedAtNanoseconds: z.string(),
  durationSeconds: z.number().nullable(),
  /** The requested features that were not analysed yet. */
  missing: z.array(z.enum(ANALYSIS_FEATURES)),
})

/** A video file of a library. */
export type Film = z.infer<typeof FilmRow>

/** Which films of a library, and which of their features, an analysis looks for. */
export type FilmSelection = Readonly<{
  libraryId: string
  features: readonly AnalysisFeature[]
  /** Only this item, the episodes of this season or series, and their further files; null for all items. */
  itemId: string | null
  /** Results from before this time are computed again; null: results are kept while the file is unchanged. */
  notBefore: Date | null
}>

/** The sound of episodes is compared; movies and other videos are searched for credits by their pictures. */
const isWanted = (feature: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  case ${feature} when 'fingerprint' then i.type = 'episode' when 'credits' then i.type in ('movie', 'video') else true end)`

const films = ({ libraryId, features, itemId, notBefore }: FilmSelection): FragmentSqlToken => sql.fragment`
  select i.id as item_id, i.type, coalesce(i.parent_id, p.parent_id) as season_id, i.path, i.size_bytes,
    i.modified_ns::text as modified_at_nanoseconds, i.duration_seconds, missing.features as missing
  from media_items i
  left join media_items p on p.id = i.primary_id
  cross join lateral (
    select coalesce(array_agg(f.name), '{}') as features
    from unnest(${sql.array([...features], 'text')}) as f (name)
    where ${isWanted(sql.fragment`f.name`)} and not exists (
      select 1 from file_analyses a
      where a.media_item_id = i.id and a.feature = f.name and a.size_bytes = i.size_bytes and a.modified_ns = i.modified_ns
        and ${notBefore === null ? sql.fragment`true` : sql.fragment`a.analysed_at >= ${sql.timestamp(notBefore)}`})) as missing
  where i.library_id = ${libraryId} and i.path is not null and i.missing_since is null and i.probe_error is null
    and i.type in ('movie', 'episode', 'video') and i.role is distinct from 'extra' and missing.features <> '{}'
    and ${itemId === null ? sql.fragment`true` : isItemOrDescendant(itemId)}`

/** The next page of films, ordered by id. */
export async function selectFilms(
  connection: Connection,
  { after, limit, ...selection }: FilmSelection & { after: string | null; limit: number },
): Promise<Film[]> {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`i.id > ${after}`
  const rows = await connection.any(sql.type(FilmRow)`${films(selection)} and ${isAfter} order by i.id limit ${limit}`)
  return [...rows]
}

/** Whether a film matches the selection. */
export async function hasFilms(connection: Connection, selection: FilmSelection): Promise<boolean> {
  return connection.exists(sql.unsafe`${films(selection)} limit 1`)
}

export async function countFilms(connection: Connection, selection: FilmSelection): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`select count(*) as count from (${films(selection)}) as found`)
}

const LanguageRow = z.strictObject({ language: z.string() })

/** The most common audio language of the episodes of a season; undefined if none is known. */
export async function selectSeasonLanguage(connection: Connection, seasonId: string): Promise<string | undefined> {
  const row = await connection.maybeOne(sql.type(LanguageRow)`
    select s.language from media_items i join media_streams s on s.media_item_id = i.id
    where i.parent_id = ${seasonId} and s.stream_type = 'audio' and s.language is not null
    group by s.language order by count(distinct i.id) desc, s.language limit 1`)
  return row?.language
}
