import { sql } from 'slonik'

/**
 * Prefix of a statement whose text differs each time, such as one built from a user's rules. It is not prepared, so that it does not evict
 * repeated statements from the list of prepared statements.
 */
export const unpreparedPrefix = sql.fragment`/* unprepared */`

/** Whether a text has the prefix of unprepared statements. */
export function isUnprepared(text: string): boolean {
  return text.startsWith(unpreparedPrefix.sql)
}
