import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'

const SidecarRow = z.strictObject({
  path: z.string(),
  /** Hexadecimal SHA-256 of the path. */
  pathHash: z.string(),
  details: z.object({
    language: z.string().nullable().catch(null),
    title: z.string().nullable().catch(null),
    default: z.boolean().catch(false),
    forced: z.boolean().catch(false),
    hearing_impaired: z.boolean().catch(false),
    format: z.string().catch(''),
  }),
})

/** A separate subtitle file, with the properties from its name. */
export type SubtitleSidecar = z.infer<typeof SidecarRow>

/** Limit per item. */
const MAX_SIDECARS = 200

/** Returns the subtitle files of an item ordered by path, which determines their numbers. */
export async function selectSubtitleSidecars(connection: Connection, itemId: string): Promise<SubtitleSidecar[]> {
  const rows = await connection.any(sql.type(SidecarRow)`
    select path, encode(path_hash, 'hex') as path_hash, details from item_sidecars
    where media_item_id = ${itemId} and kind = 'subtitle' order by path collate "C" limit ${MAX_SIDECARS}`)
  return [...rows]
}
