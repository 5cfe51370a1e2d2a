import type { Connection } from '../platform/database/index.ts'
import { moveRowsToVersions } from './queries/items.ts'

/**
 * Replaces versions and parts in collections by the film that they now belong to, at the same position, because lists no longer show a
 * version. A film that a curator removed stays excluded.
 */
export async function replaceVersionsInCollections(
  connection: Connection,
  input: { libraryId: string; now: Date },
): Promise<void> {
  await moveRowsToVersions(connection, input)
}
