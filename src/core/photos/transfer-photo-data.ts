import type { Connection } from '../platform/database/index.ts'
import { movePhotoToItem } from './queries/write.ts'

/** Moves the data of a picture to the item that keeps it after a move of the file, before the other row is deleted. */
export async function transferPhotoData(
  connection: Connection,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await movePhotoToItem(connection, { fromId, toId })
}
