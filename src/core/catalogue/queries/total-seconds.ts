import { sql } from 'slonik'

/** Duration in seconds of an item `i`: its own file and its further parts. Null if the duration of its own file is unknown. */
export const totalSeconds = sql.fragment`(i.duration_seconds + i.parts_seconds)`
