import type { Connection } from '../platform/database/index.ts'
import { copyProgress } from './queries/progress.ts'

/** Lets a book take over where all listeners were in another row of it, which is about to be removed; the later place counts. */
export async function moveProgress(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await copyProgress(connection, move)
}
