import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import { ANALYSIS_FEATURES } from '../film/analysed-file.ts'
import { isItemOrDescendant } from './is-item-or-descendant.ts'

const ResultRow = z.strictObject({
  itemId: z.string(),
  libraryId: z.string(),
  type: z.string(),
  name: z.string(),
  path: z.string().nullable(),
  feature: z.enum(ANALYSIS_FEATURES),
  outcome: z.enum(['done', 'none', 'failed']),
  reason: z.string().nullable(),
})

/** What an analysis found out about one file. */
export type AnalysisResult = z.infer<typeof ResultRow>

const columns = sql.fragment`i.id as item_id, i.library_id, i.type, i.name, i.path, a.feature, a.outcome, a.reason`

/** Results are valid only for the version of the file that was analysed. */
const current = sql.fragment`
  file_analyses a join media_items i
    on i.id = a.media_item_id and i.size_bytes = a.size_bytes and i.modified_ns = a.modified_ns and i.missing_since is null`

/** The results in a library, or below an item, since a time, by path. */
export async function selectAnalysisResults(
  connection: Connection,
  { libraryId, itemId, since }: { libraryId: string; itemId: string | null; since: Date },
): Promise<AnalysisResult[]> {
  const rows = await connection.any(sql.type(ResultRow)`
    select ${columns} from ${current}
    where i.library_id = ${libraryId} and a.analysed_at >= ${sql.timestamp(since)}
      and ${itemId === null ? sql.fragment`true` : isItemOrDescendant(itemId)}
    order by i.path, i.id, a.feature`)
  return [...rows]
}

const MarkedRow = z.strictObject({
  itemId: z.string(),
  type: z.string(),
  name: z.string(),
  path: z.string().nullable(),
})

/** An item with stored markers. */
export type MarkedItemRow = z.infer<typeof MarkedRow>

/** The items of a library, or below an item, whose markers were stored since a time, by path. */
export async function selectMarkedItems(
  connection: Connection,
  { libraryId, itemId, since }: { libraryId: string; itemId: string | null; since: Date | null },
): Promise<MarkedItemRow[]> {
  const isNew = since === null ? sql.fragment`true` : sql.fragment`m.created_at >= ${sql.timestamp(since)}`
  const rows = await connection.any(sql.type(MarkedRow)`
    select i.id as item_id, i.type, i.name, i.path from media_items i
    where i.library_id = ${libraryId} and ${itemId === null ? sql.fragment`true` : isItemOrDescendant(itemId)}
      and exists (select 1 from media_markers m where m.media_item_id = i.id and m.start_ms is not null and ${isNew})
    order by i.path, i.id`)
  return [...rows]
}

type Libraries = { libraryIds: readonly string[] }

/** Films that could not be analysed, by path. */
export async function selectFailedAnalyses(
  connection: Connection,
  { libraryIds, limit }: Libraries & { limit: number },
): Promise<AnalysisResult[]> {
  const rows = await connection.any(sql.type(ResultRow)`
    select ${columns} from ${current}
    where a.outcome = 'failed' and i.library_id = any (${sql.array([...libraryIds], 'uuid')})
    order by i.library_id, i.path, i.id, a.feature limit ${limit}`)
  return [...rows]
}

export async function countFailedAnalyses(connection: Connection, { libraryIds }: Libraries): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from ${current}
    where a.outcome = 'failed' and i.library_id = any (${sql.array([...libraryIds], 'uuid')})`)
}
