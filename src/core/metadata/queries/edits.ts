import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

const ItemEdits = z.object({
  name: z.string().optional(),
  sort_title: z.string().optional(),
  year: z.number().optional(),
  episode_title: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
})

/** The edits of people on an item: columns by name, and keys of its metadata. */
export type ItemEdits = z.infer<typeof ItemEdits>

const EditableRow = z.strictObject({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  sortTitle: z.string(),
  year: z.number().nullable(),
  episodeTitle: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  edits: ItemEdits.nullable(),
})

/** An item as it is shown, with its edits. */
export type EditableItem = z.infer<typeof EditableRow>

/** Locks the item for the rest of the transaction; undefined if it no longer exists. */
export async function lockEditableItem(connection: Connection, id: string): Promise<EditableItem | undefined> {
  const row = await connection.maybeOne(sql.type(EditableRow)`
    select id, type, name, sort_title, year, episode_title, metadata || local_metadata as metadata, edits
    from media_items where id = ${id} for update`)
  return row ?? undefined
}

/** Stores edits. The row shows them from now on, whichever process writes it (trigger `media_items_edited`); null removes an edit. */
export async function updateEdits(
  connection: Connection,
  { id, edits, now }: { id: string; edits: ItemEdits | null; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items set edits = ${edits === null ? null : JSON.stringify(edits)}::jsonb, updated_at = ${sql.timestamp(now)}
    where id = ${id}`)
}
