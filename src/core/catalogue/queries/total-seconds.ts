import { sql } from 'slonik'

/** How long an item `i` lasts: its own file and its further parts. Null where the length of its own file is not known. */
export const totalSeconds = sql.fragment`(i.duration_seconds + i.parts_seconds)`
