import type { Connection } from '../platform/database/index.ts'
import { replaceItem } from './queries/write.ts'

/** Lets an item take over what was read from the same picture at its new place, where something was; before that row goes away. */
export async function movePhoto(
  connection: Connection,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await replaceItem(connection, { fromId, toId })
}
