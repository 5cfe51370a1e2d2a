import type { Connection } from '../platform/database/index.ts'
import { selectStartedBooks, type StartedBook } from './queries/read.ts'

export type { StartedBook }

/**
 * The books that a profile has started and not finished; the one read last first. Books whose file is missing are left out until it is found
 * again.
 * @param input.limit at least 1
 */
export async function listContinueReading(
  { db }: { db: Connection },
  input: { profileId: string; limit: number },
): Promise<StartedBook[]> {
  return selectStartedBooks(db, input)
}
