import type { Connection } from '../../platform/database/index.ts'
import type { ItemWrite, WrittenItem } from '../item/item-write.ts'
import type { GroupWrite } from '../item/group-write.ts'
import { replaceStreams, upsertItems } from '../queries/upsert-items.ts'
import { writeGroups } from '../groups/write-groups.ts'

/**
 * Writes a batch of files as items with their streams and the groups above them, in a constant number of statements. A known path keeps
 * its id, the metadata that providers added and, unless tags or an NFO set another, its name. Everything else that comes from the file is
 * replaced, and the item is no longer missing.
 */
export async function writeItems(
  connection: Connection,
  writes: readonly ItemWrite[],
  now: Date,
): Promise<WrittenItem[]> {
  // One statement cannot write the same row twice; the last write of a path wins.
  const byPath = new Map(writes.map((write) => [write.path, write]))
  const items = [...byPath.values()]
  const [first] = items
  if (first === undefined) return []
  const groups = await writeGroups(connection, { libraryId: first.libraryId, chains: items.map(chainOf), now })
  const placed = items.map((item) => Object.assign({ ownerId: groups.idOf(chainOf(item)) }, item))
  const written = await upsertItems(connection, placed, now)
  await replaceStreams(
    connection,
    written.map(({ id, path, isNew }) => ({ itemId: id, isNew, streams: byPath.get(path)?.streams ?? [] })),
  )
  return written
}

function chainOf({ groups = [] }: ItemWrite): readonly GroupWrite[] {
  return groups
}
