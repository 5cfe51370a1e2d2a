import { enqueueEvent, LISTED_ITEMS, LISTED_TITLES, type OutboxEvent } from '../outbox/index.ts'
import { getLibrary } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { describeItems } from './describe-items.ts'

type LibraryUpdate = Extract<OutboxEvent, { event: 'library.updated' }>

export type ItemsChange = {
  change: LibraryUpdate['change']
  libraryId: string
  /** The first of them; at most 100 are listed. */
  itemIds: readonly string[]
  /** All of them; as many as there are ids unless said. */
  itemCount?: number
  /** Names of the first few, for items that are gone; read unless given. */
  titles?: readonly string[]
}

/**
 * Tells webhooks and channels that items of a library have come, gone or changed (document 2, Events, library.updated). In the
 * transaction that changes them. Of no items nothing is told.
 * @throws AppError `library_not_found`
 */
export async function enqueueItemEvents(connection: Connection, input: ItemsChange, now: Date): Promise<void> {
  const [first] = input.itemIds
  if (first === undefined) return
  const library = await getLibrary({ db: connection }, input.libraryId)
  const named = input.titles ?? (await titlesOf(connection, input.itemIds.slice(0, LISTED_TITLES)))
  const facts: LibraryUpdate = {
    event: 'library.updated',
    change: input.change,
    libraryId: library.id,
    libraryName: library.name,
    mediaItemIds: input.itemIds.slice(0, LISTED_ITEMS),
    itemCount: input.itemCount ?? input.itemIds.length,
    titles: named.slice(0, LISTED_TITLES),
  }
  await enqueueEvent(connection, facts, now)
}

async function titlesOf(connection: Connection, ids: readonly string[]): Promise<string[]> {
  return (await describeItems({ db: connection }, ids)).map(({ title }) => title)
}
