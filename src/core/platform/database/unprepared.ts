import { sql } from 'slonik'

/**
 * Prefix of a statement whose text differs each time, such as one built from a user's rules. It is not prepared and takes no place of
 * repeated statements.
 */
export const unprepared = sql.fragment`/* unprepared */`

/** Whether a text has the prefix of unprepared statements. */
export function isUnprepared(text: string): boolean {
  return text.startsWith(unprepared.sql)
}
