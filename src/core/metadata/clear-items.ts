import { parseEpisodePath } from '../naming/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { PICTURE_KEYS, PROVIDER_KEYS } from './metadata-keys.ts'
import { clearFacts, clearKeys, countClearable, selectClearable, type ClearableItem } from './queries/clearing.ts'

export type ItemToClear = ClearableItem

/** How many items of a library come after this one, by id; null: all. */
export async function countItemsToClear(
  connection: Connection,
  place: { libraryId: string; after: string | null },
): Promise<number> {
  return countClearable(connection, place)
}

/** A page of the items of a library, by id. */
export async function listItemsToClear(
  connection: Connection,
  page: { libraryId: string; after: string | null; limit: number },
): Promise<ClearableItem[]> {
  return selectClearable(connection, page)
}

/**
 * Takes away what providers have said about items: the keys of metadata-keys.ts, the stamp, and names that came from them; the items are
 * then called what their files call them (document 1, job semantics 7). Within a transaction.
 * @param input.keepsChosenPosters whether the posters that people have chosen go on being shown
 */
export async function clearItems(
  connection: Connection,
  {
    items,
    keepsChosenPosters = false,
    now,
  }: { items: readonly ClearableItem[]; keepsChosenPosters?: boolean; now: Date },
): Promise<void> {
  await clearFacts(connection, {
    items: items.map((item) => ({ id: item.id, keptAirDate: ownAirDate(item) })),
    keys: PROVIDER_KEYS,
    keepsChosenPosters,
    now,
  })
}

/**
 * Takes away the addresses of pictures that providers and people have put into items; everything else that is known of them stays. Within
 * a transaction.
 */
export async function clearPictureFacts(
  connection: Connection,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<void> {
  await clearKeys(connection, { ids, keys: PICTURE_KEYS, now })
}

/** The date of a show that is told apart by its days stands in the file's name, and no provider has said it. */
function ownAirDate({ path, airDate }: ClearableItem): string | null {
  return path !== null && airDate !== null && parseEpisodePath(path).airDate === airDate ? airDate : null
}
