import { z } from 'zod'

const Id = z.guid()

/**
 * Whether an external value is a UUID and can be the id of a row. The database would report an error for other values, although the correct
 * answer is that there is no such row.
 */
export function isRowId(value: unknown): value is string {
  return Id.safeParse(value).success
}
