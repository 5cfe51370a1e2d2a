import type { Connection } from '../platform/database/index.ts'
import { mergeRows, selectVersionsSpokenOf } from './queries.ts'

type Move = { fromId: string; toId: string }

/** Lets an item take over what all accounts said about another row of the same film, which stays without. Nothing that was said is lost. */
export async function mergeUserData(connection: Connection, move: Move): Promise<void> {
  await mergeRows(connection, move)
}

/** Versions that something was said about, from when they were films of their own, with the films that they belong to now. */
export async function listVersionsSpokenOf(
  connection: Connection,
  { libraryId }: { libraryId: string },
): Promise<readonly Move[]> {
  return selectVersionsSpokenOf(connection, libraryId)
}
