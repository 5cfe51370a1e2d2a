import { enqueueEvent, LISTED_ITEMS, LISTED_TITLES, type OutboxEvent } from '../../outbox/index.ts'
import { getLibrary } from '../../libraries/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { describeItems } from './describe-items.ts'

type LibraryUpdate = Extract<OutboxEvent, { event: 'library.updated' }>

export type ItemsChange = {
  change: LibraryUpdate['change']
  libraryId: string
  /** The first of the affected items; at most 100 are listed. */
  itemIds: readonly string[]
  /** Number of all affected items. Default: the number of ids. */
  itemCount?: number
  /** Titles of the first few items, given for items that are already deleted. Default: read from the catalogue. */
  titles?: readonly string[]
}

/**
 * Enqueues the event that items of a library were added, removed or changed (`library.updated`), for webhooks and channels. Runs in the
 * transaction of the change. An empty change enqueues nothing.
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
