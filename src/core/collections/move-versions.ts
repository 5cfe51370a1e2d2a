import type { Connection } from '../platform/database/index.ts'
import { transferToVersions } from './queries/items.ts'

/**
 * Replaces versions and parts in collections by the film that they now belong to, at the same position, because lists no longer show a
 * version. A film that a curator removed stays excluded.
 */
export async function moveVersions(connection: Connection, input: { libraryId: string; now: Date }): Promise<void> {
  await transferToVersions(connection, input)
}
