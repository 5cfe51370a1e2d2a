import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

const VersionRow = z.strictObject({ version: z.string() })

/**
 * Returns a version string that changes with every change visible in lists and never repeats, because each change inserts a row with a new
 * id. Row count and highest id alone are not sufficient, because changes do not commit in the order of their ids.
 */
export async function selectCatalogueVersion(connection: Connection): Promise<string> {
  return connection.oneFirst(sql.type(VersionRow)`
    select count(*) || ':' || coalesce(max(id), 0) || ':' || coalesce(bit_xor(hashint8extended(id, 0)), 0) as version
    from item_tallies`)
}
