import type { Connection } from '../platform/database/index.ts'
import { transferToVersions } from './queries/items.ts'

/**
 * Lets films stand in collections for those that have become their versions or parts, at the place that those had: lists show a version
 * no longer. A film that a curator took out stays out.
 */
export async function moveVersions(connection: Connection, input: { libraryId: string; now: Date }): Promise<void> {
  await transferToVersions(connection, input)
}
