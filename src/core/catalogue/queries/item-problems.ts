import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import { MEDIA_ITEM_TYPES } from '../item/media-item.ts'

export const PROBLEM_KINDS = ['bad', 'duplicates', 'missing', 'unmatched'] as const

export type ProblemKind = (typeof PROBLEM_KINDS)[number]

const ProblemRow = z.strictObject({
  itemId: z.string(),
  libraryId: z.string(),
  type: z.enum(MEDIA_ITEM_TYPES),
  name: z.string(),
  path: z.string().nullable(),
  /** For `bad`: why the file could not be read. */
  reason: z.string().nullable(),
  /** For `missing`: since when. */
  missingSince: z.date().nullable(),
  /** For `duplicates`: the number of the group, counted from 1. */
  groupNumber: z.number().nullable(),
})

/** An item that needs attention. */
export type ItemProblem = z.infer<typeof ProblemRow>

const columns = sql.fragment`i.id as item_id, i.library_id, i.type, i.name, i.path`

/** Films, videos and series are known to providers; other types are matched through them, or not at all. */
const CONDITIONS: Readonly<Record<Exclude<ProblemKind, 'duplicates'>, FragmentSqlToken>> = {
  bad: sql.fragment`i.probe_error is not null and i.missing_since is null`,
  missing: sql.fragment`i.missing_since is not null`,
  unmatched: sql.fragment`
    i.type in ('movie', 'video', 'series') and coalesce(i.metadata->'external_ids', '{}') in ('{}', 'null')
    and i.missing_since is null`,
}

/** Equal in both ends and size; files that could not be read are compared by name, size and type. */
const duplicateKey = sql.fragment`
  case when i.content_hash is null then i.canonical_key else encode(i.content_hash, 'hex') || ':' || i.size_bytes end`

const duplicates = sql.fragment`
  select ${columns}, ${duplicateKey} as copy_key, count(*) over (partition by i.library_id, ${duplicateKey}) as copies
  from media_items i
  where i.library_id = any (ids.wanted) and i.path is not null and i.missing_since is null and i.size_bytes > 0
    and ${duplicateKey} is not null`

type Wanted = { libraryIds: readonly string[]; kind: ProblemKind }

export async function selectProblems(
  connection: Connection,
  { libraryIds, kind, limit }: Wanted & { limit: number },
): Promise<ItemProblem[]> {
  const ids = sql.array([...libraryIds], 'uuid')
  if (kind === 'duplicates') {
    const rows = await connection.any(sql.type(ProblemRow)`
      select d.item_id, d.library_id, d.type, d.name, d.path, null::text as reason, null::timestamptz as missing_since,
        dense_rank() over (order by d.library_id, d.copy_key) as group_number
      from (select ${ids} as wanted) ids, lateral (${duplicates}) d
      where d.copies > 1 order by group_number, d.path, d.item_id limit ${limit}`)
    return [...rows]
  }
  const rows = await connection.any(sql.type(ProblemRow)`
    select ${columns}, i.probe_error as reason, i.missing_since, null::integer as group_number
    from media_items i where i.library_id = any (${ids}) and ${CONDITIONS[kind]}
    order by i.library_id, i.path, i.sort_key, i.id limit ${limit}`)
  return [...rows]
}

export async function countProblems(connection: Connection, { libraryIds, kind }: Wanted): Promise<number> {
  const ids = sql.array([...libraryIds], 'uuid')
  if (kind === 'duplicates') {
    return connection.oneFirst(sql.type(CountRow)`
      select count(*) as count from (select ${ids} as wanted) ids, lateral (${duplicates}) d where d.copies > 1`)
  }
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from media_items i where i.library_id = any (${ids}) and ${CONDITIONS[kind]}`)
}
