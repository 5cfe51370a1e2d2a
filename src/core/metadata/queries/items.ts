import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { postgresSafeJson, postgresSafeName, postgresSafeSortTitle } from '../../catalogue/index.ts'
import { CountRow, IdRow, type Connection } from '../../platform/database/index.ts'
import { TITLE_KINDS, type ExternalIds } from '../provider-facts.ts'
import { MATCHABLE_TYPES, type MatchableItem } from '../matchable-item.ts'
import { isRecentMiss, searchTermsHash, type RecentMisses } from './misses.ts'
import { assignNames, uneditedNames } from './unedited-names.ts'

/** Numbers as texts, whichever type was stored; other values are dropped. */
const Ids = z.unknown().transform((value): ExternalIds => {
  const ids: ExternalIds = {}
  for (const [provider, id] of Object.entries(value ?? {})) {
    const isText = typeof id === 'string' || typeof id === 'number'
    if (isText && isProviderName(provider)) ids[provider] = String(id)
  }
  return ids
})

function isProviderName(name: string): name is keyof ExternalIds {
  return ['tmdb', 'imdb', 'tvdb'].includes(name) || name.startsWith('phlix-plugin-')
}

const MatchableRow = z.strictObject({
  id: z.string(),
  type: z.enum(MATCHABLE_TYPES),
  name: z.string(),
  year: z.number().nullable(),
  path: z.string().nullable(),
  storedIds: Ids,
  storedKind: z.enum(TITLE_KINDS).nullable().catch(null),
  localIds: Ids,
  localOriginalTitle: z.string().nullable(),
  refreshedAt: z.date().nullable(),
  questionHash: z.instanceof(Buffer),
})

const isMatchable = sql.fragment`i.role is null and i.type in ('movie', 'video', 'series')`

const ownPath = sql.fragment`
  coalesce(i.path, (
    select e.path from media_items s join media_items e on e.parent_id = s.id
    where s.parent_id = i.id and e.path is not null order by e.id limit 1))`

const questionHash = searchTermsHash(ownPath)

const matchableColumns = sql.fragment`
  i.id, i.type, i.name, i.year, ${ownPath} as path, ${questionHash} as question_hash,
  i.metadata->'external_ids' as stored_ids, i.metadata->>'title_kind' as stored_kind, i.local_metadata->'external_ids' as local_ids,
  i.local_metadata->>'original_title' as local_original_title, i.metadata_refreshed_at as refreshed_at`

/** The items that a job visits: all; the unmatched, with series that have new episodes; or those without metadata. */
export type MatchScope = 'all' | 'unmatched' | 'bare'

function isVisited(visit: MatchScope): FragmentSqlToken {
  if (visit === 'all') return sql.fragment`true`
  // Every provider returns an overview for a title that it has.
  if (visit === 'bare') return sql.fragment`(i.metadata_refreshed_at is null and not i.metadata ? 'overview')`
  return sql.fragment`(i.metadata_refreshed_at is null or (i.type = 'series' and exists (
    select from media_items s join media_items e on e.parent_id = s.id
    where s.parent_id = i.id and e.type = 'episode' and e.role is null and e.metadata_refreshed_at is null)))`
}

type VisitRange = {
  libraryId: string
  visit: MatchScope
  after: string | null
  /** Excludes items with a recent unsuccessful search. */
  misses?: RecentMisses | undefined
}

function whereOf({ libraryId, visit, after, misses }: VisitRange): FragmentSqlToken {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`i.id > ${after}`
  const isSkipped = misses === undefined ? sql.fragment`false` : isRecentMiss(misses, questionHash)
  return sql.fragment`
    i.library_id = ${libraryId} and ${isMatchable} and ${isAfter} and ${isVisited(visit)} and not ${isSkipped}`
}

export async function countMatchable(connection: Connection, place: VisitRange): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from media_items i where ${whereOf(place)}`)
}

export async function selectMatchable(
  connection: Connection,
  { limit, ...place }: VisitRange & { limit: number },
): Promise<MatchableItem[]> {
  const rows = await connection.any(sql.type(MatchableRow)`
    select ${matchableColumns} from media_items i where ${whereOf(place)} order by i.id limit ${limit}`)
  return [...rows]
}

/** The film or series that an item is, or is a part of; undefined for any other item. */
export async function findMatchable(connection: Connection, itemId: string): Promise<MatchableItem | undefined> {
  const row = await connection.maybeOne(sql.type(MatchableRow)`
    select ${matchableColumns} from media_items i
    where ${isMatchable} and i.id in (
      select coalesce(grandparent.id, parent.id, own.id) from media_items own
      left join media_items parent on parent.id = own.parent_id
      left join media_items grandparent on grandparent.id = parent.parent_id
      where own.id = ${itemId})`)
  return row ?? undefined
}

/** Locks an item for the rest of the transaction; false if it no longer exists. */
export async function lockMatchedItem(connection: Connection, id: string): Promise<boolean> {
  return connection.exists(sql.unsafe`select 1 from media_items where id = ${id} for update`)
}

/** Values to write to a row; `name` null keeps its name. */
export type FactsWrite = {
  id: string
  name: string | null
  /** Null keeps the current sort title. */
  sortTitle: string | null
  year: number | null
  metadata: Record<string, unknown>
}

/**
 * Writes the facts of a provider: keys are merged into the metadata, and a name is replaced unless it comes from a tag or an NFO. The
 * name of the file is stored for a later restore.
 * @returns the rows that still exist
 */
export async function updateFacts(
  connection: Connection,
  { writes, now }: { writes: readonly FactsWrite[]; now: Date },
): Promise<string[]> {
  const rows = writes.map(({ id, name, sortTitle, year, metadata }) => [
    id,
    name === null ? null : postgresSafeName(name),
    sortTitle === null ? null : postgresSafeSortTitle(sortTitle),
    year,
    postgresSafeJson(metadata),
  ])
  const isNamed = sql.fragment`(i.name_source <> 'local' and v.name is not null)`
  const provided = sql.fragment`(case when ${isNamed} then jsonb_strip_nulls(jsonb_build_object(
    'name', v.name, 'sort_title', v.sort_title, 'year', v.year, 'episode_title', case when i.type = 'episode' then v.name end))
    else '{}' end)`
  const ids = await connection.anyFirst(sql.type(IdRow)`
    update media_items i set updated_at = ${sql.timestamp(now)}, metadata_refreshed_at = ${sql.timestamp(now)},
      metadata = i.metadata || v.metadata,
      naming_before = case when ${isNamed} and i.name_source = 'file' then ${uneditedNames} else i.naming_before end,
      ${assignNames(sql.fragment`(${uneditedNames} || ${provided})`)},
      name_source = case when ${isNamed} then 'provider' else i.name_source end
    from ${sql.unnest(rows, ['uuid', 'text', 'text', 'int4', 'jsonb'])} as v (id, name, sort_title, year, metadata)
    where i.id = v.id
    returning i.id`)
  return [...ids]
}
