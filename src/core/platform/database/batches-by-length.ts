import { z } from 'zod'

/** The row of a statement that returns ids, and the number of characters of each row that they identify. */
export const IdWithLengthRow = z.strictObject({ id: z.string(), length: z.number() })

export type IdWithLength = z.infer<typeof IdWithLengthRow>

/**
 * The values of a batch are in memory until the client has received them. Objects that survive two collections of the young generation are
 * moved to the old generation and enlarge it.
 */
const BATCH_CHARACTERS = 32 * 1024

/** Some milliseconds of work. */
const BATCH_ROWS = 50

/** Divides the ids of rows into batches of at most 50 rows and 32 KiB of characters. A longer row is a batch of its own. */
export function* batchesByLength(rows: readonly IdWithLength[]): Generator<readonly string[]> {
  let batch: string[] = []
  let characters = 0
  for (const { id, length } of rows) {
    if (batch.length > 0 && (batch.length === BATCH_ROWS || characters + length > BATCH_CHARACTERS)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(id)
    characters += length
  }
  if (batch.length > 0) yield batch
}
