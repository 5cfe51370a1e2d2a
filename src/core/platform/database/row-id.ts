import { z } from 'zod'

const Id = z.guid()

/**
 * Whether an external value has the form of a row id. The database reports other values as an error, where the correct answer is that there
 * is no such row.
 */
export function isId(value: unknown): value is string {
  return Id.safeParse(value).success
}
