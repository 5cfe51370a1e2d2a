import type { Connection } from '../platform/database/index.ts'
import { selectStartedAudiobooks, type StartedAudiobook } from './queries/read.ts'

export type { StartedAudiobook }

/**
 * The audiobooks that a profile has started and not finished; the one played last first. Books whose files are missing are left out until they
 * are found again.
 * @param input.limit at least 1
 */
export async function listContinueListening(
  { db }: { db: Connection },
  input: { profileId: string; limit: number },
): Promise<StartedAudiobook[]> {
  return selectStartedAudiobooks(db, input)
}
