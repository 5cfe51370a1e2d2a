import type { Connection } from '../platform/database/index.ts'
import { transferEntries } from './queries/items.ts'

/** Replaces an item in collections by another row of the same file, at the same position. Within a transaction. */
export async function moveEntries(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await transferEntries(connection, move)
}
