import { sql } from 'slonik'

/**
 * Begins a statement that is another one each time, as rules that people write are: it is not kept prepared, and takes no place from
 * those that come again and again.
 */
export const unprepared = sql.fragment`/* unprepared */`

/** Whether a text begins so. */
export function isUnprepared(text: string): boolean {
  return text.startsWith(unprepared.sql)
}
