import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
import { ExtraShape, type Extra } from './extra.ts'
import type { LocalExtra } from './merge-extras.ts'

const ExtrasRow = z.strictObject({ extras: z.unknown() })

const LocalExtraRow = z.strictObject({
  id: z.string(),
  title: z.string(),
  type: z.string().nullable(),
  path: z.string(),
  durationSeconds: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
})

const CachedRow = z.strictObject({ extras: z.array(ExtraShape) })

/** Limit of the list. */
const MAX_EXTRAS = 500

/** The present extras of an item; for a version or part, the extras of its owner. */
export async function selectLocalExtras(connection: Connection, itemId: string): Promise<LocalExtra[]> {
  const rows = await connection.any(sql.type(LocalExtraRow)`
    select e.id, coalesce(e.role_label, e.name) as title, e.metadata ->> 'extra_type' as type, e.path, e.duration_seconds, s.width, s.height
    from media_items o
    join media_items e on e.primary_id = case when o.role in ('version', 'part') then coalesce(o.primary_id, o.id) else o.id end
    left join lateral (
      select width, height from media_streams where media_item_id = e.id and stream_type = 'video' order by stream_index limit 1
    ) s on true
    where o.id = ${itemId} and e.role = 'extra' and e.path is not null and e.missing_since is null
    order by e.path collate "C" limit ${MAX_EXTRAS}`)
  return [...rows]
}

/**
 * The extras of providers that were cached since a time; undefined if there are none, or if they have the format of another release, which
 * also stored files.
 */
export async function selectCachedExtras(
  connection: Connection,
  { itemId, since }: { itemId: string; since: Date },
): Promise<Extra[] | undefined> {
  const row = await connection.maybeOne(sql.type(ExtrasRow)`
    select extras from item_extras where media_item_id = ${itemId} and listed_at > ${sql.timestamp(since)}`)
  const extras = row === null ? undefined : CachedRow.safeParse(row).data?.extras
  return extras?.every(({ path }) => path === null) === true ? extras : undefined
}

/** Does nothing if the item was deleted meanwhile. */
export async function upsertExtras(
  connection: Connection,
  { itemId, extras, now }: { itemId: string; extras: readonly Extra[]; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into item_extras (media_item_id, extras, listed_at)
    select id, ${JSON.stringify(extras)}::jsonb, ${sql.timestamp(now)} from media_items where id = ${itemId}
    on conflict (media_item_id) do update set extras = excluded.extras, listed_at = excluded.listed_at`)
}

export async function deleteCachedExtras(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    delete from item_extras k using media_items i where i.id = k.media_item_id and i.library_id = ${libraryId}`)
}
