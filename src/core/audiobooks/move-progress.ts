import type { Connection } from '../platform/database/index.ts'
import { copyProgress } from './queries/progress.ts'

/** Moves the progress of all listeners from one row of a book to another, before the first is deleted; the later progress is kept. */
export async function moveProgress(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await copyProgress(connection, move)
}
