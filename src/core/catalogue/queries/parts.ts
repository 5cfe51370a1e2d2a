import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { itemColumns, ItemWithChaptersRow } from './select-items.ts'

type StreamlessItem = z.infer<typeof ItemWithChaptersRow>

const PartRow = ItemWithChaptersRow.extend({ ownerId: z.string() })

const VersionRow = ItemWithChaptersRow.extend({ label: z.string().nullable() })

/** Depth limit of nested parts. It also ends a cycle of parts. */
const DEEPEST_PARTS = 4

/**
 * The further files of items, in playing order: those that are present and of known duration. A part may have parts itself: a disc of
 * several files.
 */
export async function selectItemParts(
  connection: Connection,
  ownerIds: readonly string[],
): Promise<{ ownerId: string; item: StreamlessItem }[]> {
  const rows = await connection.any(sql.type(PartRow)`
    with recursive files as (
      select id as owner_id, id, array[]::text[] as place from media_items where id = any (${sql.array([...ownerIds], 'uuid')})
      union all
      select files.owner_id, p.id, files.place || array[lpad(coalesce(p.role_order, 99999)::text, 6, '0'), p.path]
      from files join media_items p on p.primary_id = files.id and p.role = 'part' and p.id <> files.owner_id
      where cardinality(files.place) < ${2 * DEEPEST_PARTS})
    select files.owner_id, ${itemColumns}, i.chapters
    from files join media_items i on i.id = files.id
    where i.id <> files.owner_id and i.path is not null and i.missing_since is null and i.duration_seconds > 0
      and i.type in ('movie', 'video', 'episode')
    order by files.owner_id, files.place collate "C"`)
  return rows.map(({ ownerId, ...item }) => ({ ownerId, item }))
}

/** The versions of an item whose file is present, in their order. */
export async function selectItemVersions(
  connection: Connection,
  itemId: string,
): Promise<{ label: string | null; item: StreamlessItem }[]> {
  const rows = await connection.any(sql.type(VersionRow)`
    select ${itemColumns}, i.chapters, i.role_label as label
    from media_items i
    where i.primary_id = ${itemId} and i.role = 'version' and i.path is not null and i.missing_since is null
      and i.type in ('movie', 'video', 'episode')
    order by i.role_order, i.path`)
  return rows.map(({ label, ...item }) => ({ label, item }))
}
